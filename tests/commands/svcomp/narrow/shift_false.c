/* Twice a long long may not fit, and a check is told where it lies.
   property: no-overflow
   answer: false(no-overflow) */
extern long long __VERIFIER_nondet_longlong(void);

int main(void) {
  long long x = __VERIFIER_nondet_longlong();
  if (x > 0) x = x << 1;
  return x == 3;
}
