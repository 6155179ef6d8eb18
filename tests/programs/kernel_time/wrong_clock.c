/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include <time.h>

int main(void) {
  struct timespec now;
  assert(clock_gettime(77, &now) == -1 && errno == EINVAL);
  assert(clock_getres(CLOCK_REALTIME, &now) == 0 && now.tv_sec == 0 && now.tv_nsec > 0);
  return 0;
}
