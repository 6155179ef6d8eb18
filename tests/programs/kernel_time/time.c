/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include <time.h>
#include <sys/time.h>

int main(void) {
  time_t stored, now = time(&stored);
  assert(now == stored && now >= 1700000000);
  struct timeval tv;
  assert(gettimeofday(&tv, 0) == 0 && tv.tv_sec >= now && tv.tv_usec < 1000000);
  return 0;
}
