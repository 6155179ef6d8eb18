/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include <signal.h>

int main(void) {
  struct sigaction before;
  assert(signal(SIGUSR1, SIG_IGN) == SIG_DFL && raise(SIGUSR1) == 0 && kill(getpid(), SIGUSR1) == 0);
  assert(sigaction(SIGUSR1, 0, &before) == 0 && before.sa_handler == SIG_IGN);
  assert(kill(getpid(), 0) == 0 && raise(SIGCHLD) == 0 && sigaction(SIGKILL, &before, 0) == -1 && errno == EINVAL);
  return 0;
}
