/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include <time.h>
#include <sys/times.h>
#include <sys/resource.h>

int main(void) {
  struct rusage used;
  struct tms parts;
  assert(getrusage(RUSAGE_SELF, &used) == 0 && used.ru_utime.tv_usec < 1000000);
  assert(times(&parts) != (clock_t)-1 && clock() != (clock_t)-1);
  return 0;
}
