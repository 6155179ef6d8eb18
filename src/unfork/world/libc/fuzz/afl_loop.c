/* The loop of a program for AFL++, which has one turn on each path. */

int unfork_afl_loop(void) {
    static int turns;
    return !turns++;
}
