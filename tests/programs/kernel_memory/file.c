/* A private mapping shows the file, and keeps its changes to itself.
   expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include <sys/mman.h>

int main(void) {
  enter();
  char text[4];
  int fd = file_with("f", "abc");
  char *view = mmap(0, 3, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  assert(view != MAP_FAILED && view[1] == 'b' && view[3] == 0 && view[4095] == 0);
  view[1] = 'X';
  assert(read(fd, text, 4) == 3 && text[1] == 'b');
  munmap(view, 3);
  unlink("f");
  leave();
  return 0;
}
