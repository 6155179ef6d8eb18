/* expect: unsafe
   native: none (the stand-in for the error has no place) */
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_error(void) __attribute__((noreturn));

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), i = 0;
  if (n > 4) return 0;
  while (i < n) i++;
  if (i == 4) __VERIFIER_error(); /* BUG: reach-error */
  return 0;
}
