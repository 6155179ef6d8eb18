/* expect: safe
   native: none (no compiler knows what CBMC does) */
int nondet_int();
_Bool nondet_bool();

int main(void) {
  int x = nondet_int();
  __CPROVER_assume(x > 0 && x < 100);
  int y = nondet_bool() ? x : x + 1;
  __CPROVER_assert(y >= x && y <= 100, "y is x or one more");
  __CPROVER_postcondition(y - x <= 1, "the distance");
  __CPROVER_assert(__CPROVER_overflow_plus(x, 2147483647), "too large");
  __CPROVER_assert(!__CPROVER_overflow_minus(x, y) && !__CPROVER_overflow_mult(x, y), "small numbers");
  return 0;
}
