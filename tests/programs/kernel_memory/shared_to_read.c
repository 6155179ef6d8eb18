/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include <sys/mman.h>

int main(void) {
  enter();
  int fd = file_with("f", "abc");
  char *view = mmap(0, 3, PROT_READ, MAP_SHARED, fd, 0);
  assert(view[0] == 'a' && view[2] == 'c');
  munmap(view, 3);
  unlink("f");
  leave();
  return 0;
}
