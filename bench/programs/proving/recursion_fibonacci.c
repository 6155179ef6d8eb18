/* expect: safe */
extern void reach_error(void);
#define assert(condition) ((condition) ? (void)0 : reach_error())
extern int __VERIFIER_nondet_int(void);

static unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

int main(void) {
    unsigned n = (unsigned)__VERIFIER_nondet_int();
    if (n > 40) return 0;
    assert(n < 2 || fibonacci(n) >= n - 1);
    return 0;
}
