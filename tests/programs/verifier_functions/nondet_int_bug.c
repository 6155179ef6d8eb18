/* expect: unsafe
   native: none (the stand-in for reach_error has no place) */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  if (x > 0 && y == x + 7) reach_error(); /* BUG: reach-error */
  return 0;
}
