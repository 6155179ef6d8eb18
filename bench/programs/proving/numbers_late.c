/* expect: unsafe */
extern void reach_error(void);
#define assert(condition) ((condition) ? (void)0 : reach_error())
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned x = 0, y = 0;
    while (__VERIFIER_nondet_int()) {
        x++;
        if (x == 9) y = 1;
        assert(y == 0);
    }
    return 0;
}
