/* A handler would run in the middle of anything: it is not modelled.
   expect: unknown unsupported
   native: none (works there) */
#include "../kernel_scratch.h"
#include <signal.h>

int main(void) {
  signal(SIGUSR1, (void (*)(int))enter);
  raise(SIGUSR1);
  return 0;
}
