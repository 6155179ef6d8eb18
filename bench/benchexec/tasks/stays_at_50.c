extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((__noreturn__));
extern void *malloc(unsigned long); extern void free(void *); extern int rand(void); extern void exit(int);
extern int __VERIFIER_nondet_int(); extern unsigned int __VERIFIER_nondet_uint(); extern _Bool __VERIFIER_nondet_bool();
extern double __VERIFIER_nondet_double(); extern long __VERIFIER_nondet_long(); extern char __VERIFIER_nondet_char();
void reach_error() { __assert_fail("0", "task.c", 6, "reach_error"); }
void assume_abort_if_not(int cond) { if (!cond) { abort(); } }
void __VERIFIER_assert(int cond) { if (!(cond)) { ERROR: {reach_error();abort();} } }
int main() {
  int x = __VERIFIER_nondet_int();
  while (x > 0) { if (x == 50) x--; x++; if (x == 50) x = 49; if (x > 60) break; }
}
