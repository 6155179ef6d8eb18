/* expect: safe
   native: asan */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  __VERIFIER_assume(y < x);
  if (x > 0 && y == x + 7 && x < 1000) reach_error();
  return 0;
}
