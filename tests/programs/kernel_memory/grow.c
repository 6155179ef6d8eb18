/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include <sys/mman.h>

int main(void) {
  char *block = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  block[7] = 7;
  char *moved = mremap(block, 4096, 16384, MREMAP_MAYMOVE);
  assert(moved != MAP_FAILED && moved[7] == 7 && moved[16383] == 0);
  assert(mremap(moved, 16384, 4096, MREMAP_MAYMOVE) == moved && moved[7] == 7);
  return 0;
}
