/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include <time.h>

int main(void) {
  enter();
  struct stat about;
  close(file_with("f", "x"));
  struct timespec times[2] = {{5, 6}, {7, 8}};
  assert(utimensat(AT_FDCWD, "f", times, 0) == 0 && stat("f", &about) == 0);
  assert(about.st_atim.tv_sec == 5 && about.st_mtim.tv_sec == 7 && about.st_mtim.tv_nsec == 8);
  times[0].tv_nsec = UTIME_OMIT;
  times[1].tv_nsec = UTIME_NOW;
  assert(utimensat(AT_FDCWD, "f", times, 0) == 0 && stat("f", &about) == 0);
  assert(about.st_atim.tv_sec == 5 && about.st_mtim.tv_sec > 1000000000);
  unlink("f");
  leave();
  return 0;
}
