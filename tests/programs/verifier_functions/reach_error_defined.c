/* A benchmark defines reach_error itself, with an assertion in it.
   expect: unsafe
   native: none (the benchmark's own definition ends the process) */
extern int __VERIFIER_nondet_int(void);
extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
void reach_error(void) { __assert_fail("0", "reach_error_defined.c", 6, "reach_error"); }
void __VERIFIER_assert(int cond) {
  if (!cond) reach_error(); /* BUG: reach-error */
}

int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assert(x != 65);
  return 0;
}
