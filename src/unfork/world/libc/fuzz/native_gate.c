/* Gives libFuzzer's process a gate (native_gate.h) before each run, and ends it at an input that takes too long.
 *
 * The linker's --wrap sends libFuzzer's calls of the target here. libFuzzer's own limit counts the time at the gate.
 * The command line of the compiler defines SLOWEST, in seconds, and SLOW_STATUS (report/replay/native_fuzzer.py).
 */
#include "native_gate.h"
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/time.h>

#ifdef __cplusplus
extern "C" {
#endif
int __real_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile int is_in_target;
static volatile unsigned long runs;

static void at_second(int number) {
    static unsigned long known;
    static int seconds;
    (void)number;
    look_for_parent();
    if (is_in_target && runs == known) {
        if (++seconds > SLOWEST) _exit(SLOW_STATUS);
    } else {
        seconds = 0;
        known = runs;
    }
}

__attribute__((constructor)) static void begin(void) {
    struct sigaction action;
    struct itimerval second = {{1, 0}, {1, 0}};
    find_gate();
    if (!gate) return;
    memset(&action, 0, sizeof action);
    action.sa_handler = at_second;
    action.sa_flags = SA_ONSTACK | SA_RESTART;
    sigaction(SIGALRM, &action, 0);
    setitimer(ITIMER_REAL, &second, 0);
}

int __wrap_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int result;
    pass_gate();
    runs++;
    is_in_target = 1;
    result = __real_LLVMFuzzerTestOneInput(data, size);
    is_in_target = 0;
    return result;
}
#ifdef __cplusplus
}
#endif
