/* expect: safe */
extern void reach_error(void);
#define assert(condition) ((condition) ? (void)0 : reach_error())
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int i = 0, j = 0, n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000000) return 0;
    while (i < n) {
        i++;
        if (__VERIFIER_nondet_int()) j++;
    }
    assert(i == n && j <= n && j >= 0);
    return 0;
}
