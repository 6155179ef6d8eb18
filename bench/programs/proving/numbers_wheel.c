/* expect: safe */
extern void reach_error(void);
#define assert(condition) ((condition) ? (void)0 : reach_error())
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int position = 0;
    while (1) {
        int step = __VERIFIER_nondet_int();
        if (step == 1) position = position == 11 ? 0 : position + 1;
        if (step == 2) position = position == 0 ? 11 : position - 1;
        assert(position >= 0 && position < 12);
    }
}
