/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include <sys/resource.h>

int main(void) {
  struct rlimit limit;
  assert(getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur >= 64 && limit.rlim_cur <= limit.rlim_max);
  limit.rlim_cur = 50;
  assert(setrlimit(RLIMIT_NOFILE, &limit) == 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur == 50);
  assert(getrlimit(77, &limit) == -1 && errno == EINVAL);
  return 0;
}
