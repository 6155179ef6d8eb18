/* No quotient of a long long is wrong.
   property: no-overflow
   answer: true */
extern long long __VERIFIER_nondet_longlong(void);

int main(void) {
  long long x = __VERIFIER_nondet_longlong(), y = __VERIFIER_nondet_longlong();
  return y > 0 && x / y > 3;
}
