/* expect: safe */
extern void reach_error(void);
#define assert(condition) ((condition) ? (void)0 : reach_error())
extern int __VERIFIER_nondet_int(void);

static int identity(int n) { return n == 0 ? 0 : 1 + identity(n - 1); }

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100000) return 0;
    assert(identity(n) == n);
    return 0;
}
