/* expect: safe */
extern void reach_error(void);
#define assert(condition) ((condition) ? (void)0 : reach_error())
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int level = 50, alarm = 0;
    for (;;) {
        int change = __VERIFIER_nondet_int();
        if (change > 10 || change < -10) continue;
        level += change;
        if (level > 100) { level = 100; alarm = 1; }
        if (level < 0) { level = 0; alarm = 1; }
        if (alarm) assert(level >= 0);
        assert(level <= 100);
    }
}
