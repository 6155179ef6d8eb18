/* Pages past the end of the file are not there.
   expect: safe
   native: none (the sanitizer sees a bus error only) */
#include "../kernel_scratch.h"
#include <sys/mman.h>

int main(void) {
  enter();
  int fd = file_with("f", "abc");
  char *view = mmap(0, 8192, PROT_READ, MAP_PRIVATE, fd, 0);
  unlink("f");
  leave();
  char last = view[4095];
  return last;
  return 0;
}
