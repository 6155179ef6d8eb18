/* A shared mapping that is written is not modelled.
   expect: unknown unsupported
   native: none (works there) */
#include "../kernel_scratch.h"
#include <sys/mman.h>

int main(void) {
  enter();
  int fd = file_with("f", "abc");
  char *view = mmap(0, 3, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  view[0] = 'x';
  return 0;
}
