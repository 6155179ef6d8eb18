/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include <sys/mman.h>

int main(void) {
  char *block = mmap(0, 5000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(block != MAP_FAILED && block[0] == 0 && block[4999] == 0);
  block[8191] = 1;
  assert(munmap(block, 5000) == 0);
  assert(mmap(0, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED && errno == EINVAL);
  return 0;
}
