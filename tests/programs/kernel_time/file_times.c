/* A file that is changed later is younger.
   expect: safe
   paths: 1
   native: none (the granularity of the host) */
#include "../kernel_scratch.h"
#include <time.h>

int main(void) {
  enter();
  struct stat a, b;
  close(file_with("a", ""));
  nanosleep(&(struct timespec){1, 0}, 0);
  close(file_with("b", "x"));
  assert(stat("a", &a) == 0 && stat("b", &b) == 0 && b.st_mtime > a.st_mtime);
  unlink("a");
  unlink("b");
  leave();
  return 0;
}
