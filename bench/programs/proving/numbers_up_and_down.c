/* expect: safe */
extern void reach_error(void);
#define assert(condition) ((condition) ? (void)0 : reach_error())
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned x = 0, y = 0;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            if (x < 100) { x++; y++; }
        } else if (x > 0) {
            x--;
            y--;
        }
        assert(x == y && x <= 100);
    }
    return 0;
}
