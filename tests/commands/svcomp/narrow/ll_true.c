/* A long long holds what a long does not.
   property: unreach-call
   answer: true */
extern void abort(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned a = __VERIFIER_nondet_uint();
  unsigned long long b = (unsigned long long)a * 2;
  if (b < a) reach_error();
  if (sizeof(b) != 8 || sizeof(long) != 4) reach_error();
  return 0;
}
