/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include <signal.h>

int main(void) {
  sigset_t one, before;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  assert(sigprocmask(SIG_BLOCK, &one, 0) == 0 && sigprocmask(SIG_SETMASK, 0, &before) == 0);
  assert(sigismember(&before, SIGUSR1) == 1 && sigismember(&before, SIGUSR2) == 0);
  assert(sigprocmask(SIG_UNBLOCK, &one, 0) == 0 && sigprocmask(SIG_BLOCK, 0, &before) == 0);
  assert(sigismember(&before, SIGUSR1) == 0 && sigpending(&before) == 0);
  return 0;
}
