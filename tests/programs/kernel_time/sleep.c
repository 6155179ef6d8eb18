/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include <time.h>

int main(void) {
  struct timespec a, b, nap = {0, 2000000};
  clock_gettime(CLOCK_MONOTONIC, &a);
  assert(nanosleep(&nap, 0) == 0);
  clock_gettime(CLOCK_MONOTONIC, &b);
  assert((b.tv_sec - a.tv_sec) * 1000000000L + b.tv_nsec - a.tv_nsec >= 2000000);
  nap.tv_nsec = -1;
  assert(nanosleep(&nap, 0) == -1 && errno == EINVAL);
  return 0;
}
