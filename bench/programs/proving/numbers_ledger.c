/* expect: safe */
extern void reach_error(void);
#define assert(condition) ((condition) ? (void)0 : reach_error())
extern int __VERIFIER_nondet_int(void);

int main(void) {
    unsigned in = 0, out = 0, held = 0;
    for (;;) {
        int what = __VERIFIER_nondet_int();
        if (what == 1) { in += 3; held += 3; }
        else if (what == 2 && held > 0) { out++; held--; }
        else if (what == 3) break;
        assert(held + out == in);
    }
    return 0;
}
