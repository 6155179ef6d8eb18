/* expect: safe */
extern void reach_error(void);
#define assert(condition) ((condition) ? (void)0 : reach_error())
extern int __VERIFIER_nondet_int(void);

static void play(int depth, int balance) {
    assert(balance == 0 || balance == 1);
    if (__VERIFIER_nondet_int()) return;
    play(depth + 1, 1 - balance);
}

int main(void) {
    play(0, 0);
    return 0;
}
