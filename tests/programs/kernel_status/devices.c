/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  struct stat about;
  assert(stat("/dev/null", &about) == 0 && S_ISCHR(about.st_mode));
  int ends[2];
  assert(pipe(ends) == 0 && fstat(ends[0], &about) == 0 && S_ISFIFO(about.st_mode));
  return 0;
}
