/* The path goes on where an assertion holds.
   expect: unsafe
   native: none (no compiler knows what CBMC does) */
int nondet_int(void);

int main(void) {
  int x = nondet_int(), y = nondet_int();
  __CPROVER_assume(x > 0 && x < 100);
  __CPROVER_assume(y == x + 1);
  __CPROVER_assert(y > 1, "y is larger");
  __CPROVER_assert(y < 100, "y is less than 100"); /* BUG: assert */
  __CPROVER_precondition(y != 7, "y is not 7");    /* BUG: assert */
  __CPROVER_cover(y == 50);
  __CPROVER_assert(y < 100 && y != 7, "both are known by now");
  return 0;
}
