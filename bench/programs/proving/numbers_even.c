/* expect: safe */
extern void reach_error(void);
#define assert(condition) ((condition) ? (void)0 : reach_error())
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned x = 0;
    while (__VERIFIER_nondet_int()) x += 2;
    assert(x % 2 == 0);
    return 0;
}
