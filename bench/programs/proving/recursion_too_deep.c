/* expect: unsafe */
extern void reach_error(void);
#define assert(condition) ((condition) ? (void)0 : reach_error())
extern int __VERIFIER_nondet_int(void);

static int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n > 20) return 0;
    assert(sum(n) != 66);
    return 0;
}
