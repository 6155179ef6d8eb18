/* expect: safe
   options: --fail 1
   native: none (nothing fails there) */
#define GIVE_UP exit(0)
#include "../kernel_scratch.h"
#include <sys/mman.h>

int main(void) {
  char *block = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(block != MAP_FAILED || errno == ENOMEM);
  return 0;
}
