/* expect: safe */
extern void reach_error(void);
#define assert(condition) ((condition) ? (void)0 : reach_error())
extern int __VERIFIER_nondet_int(void);
#define N 100000

int main(void) {
    int a[N];
    for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < N; i++) {
        if (a[i] < 0) a[i] = 0;
        if (a[i] > 255) a[i] = 255;
    }
    for (int i = 0; i < N; i++) assert(a[i] >= 0 && a[i] <= 255);
    return 0;
}
