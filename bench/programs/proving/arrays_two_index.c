/* expect: safe */
extern void reach_error(void);
#define assert(condition) ((condition) ? (void)0 : reach_error())
extern int __VERIFIER_nondet_int(void);
#define N 100000
int a[N], b[N];

int main(void) {
    int j = 0;
    for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < N; i++)
        if (a[i] > 0) b[j++] = a[i];
    for (int i = 0; i < j; i++) assert(b[i] > 0);
    return 0;
}
