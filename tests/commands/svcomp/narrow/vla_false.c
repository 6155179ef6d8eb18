/* One pointer too many is written.
   property: valid-memsafety
   answer: false(valid-deref) */
extern void abort(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n < 1 || n > 6) return 0;
  int *p[n];
  int z = 0;
  for (unsigned i = 0; i <= n; i++) p[i] = &z;
  return *p[0];
}
