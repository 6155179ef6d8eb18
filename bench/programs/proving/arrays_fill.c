/* expect: safe */
extern void reach_error(void);
#define assert(condition) ((condition) ? (void)0 : reach_error())
extern int __VERIFIER_nondet_int(void);
#define N 100000
int a[N];

int main(void) {
    for (int i = 0; i < N; i++) a[i] = 42;
    for (int i = 0; i < N; i++) assert(a[i] == 42);
    return 0;
}
