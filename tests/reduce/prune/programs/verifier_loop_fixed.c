/* An endless program of a competition, with nothing but its inputs.
   expect: safe
   native: none (it never ends) */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  unsigned a = 0, b = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      a = (a + 1) % 3;
      b = (b + 2) % 3;
    } else {
      a = (a + 2) % 3;
      b = (b + 1) % 3;
    }
    if ((a + b) % 3 != 0)
      reach_error();
  }
  return 0;
}
