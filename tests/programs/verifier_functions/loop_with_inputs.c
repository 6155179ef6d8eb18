/* Every call is a new input.
   expect: unsafe
   native: none (the stand-in for reach_error has no place) */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

int main(void) {
  unsigned state = 0;
  for (int i = 0; i < 3; i++) {
    unsigned char c = __VERIFIER_nondet_uchar();
    if (state == 0 && c == 'a') state = 1;
    else if (state == 1 && c == 'b') state = 2;
    else if (state == 2 && c == 'c') reach_error(); /* BUG: reach-error */
  }
  return 0;
}
