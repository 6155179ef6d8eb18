/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include <time.h>

int main(void) {
  struct timespec a, b;
  assert(clock_gettime(CLOCK_REALTIME, &a) == 0 && clock_gettime(CLOCK_REALTIME, &b) == 0);
  assert(b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec > a.tv_nsec));
  assert(a.tv_sec >= 1700000000);
  return 0;
}
