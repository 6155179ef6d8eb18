/* Twice a long wraps.
   property: unreach-call
   answer: false(unreach-call) */
extern void abort(void);
extern unsigned __VERIFIER_nondet_uint(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned long a = __VERIFIER_nondet_uint();
  if (a > 0x7fffffffUL && a * 2 < a) reach_error();
  return 0;
}
