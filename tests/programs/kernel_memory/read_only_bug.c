/* expect: unsafe
   native: asan */
#include "../kernel_scratch.h"
#include <sys/mman.h>

int main(void) {
  char *block = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  block[0] = 1;
  mprotect(block, 4096, PROT_READ);
  block[0] = 2; /* BUG: read-only */
  return 0;
}
