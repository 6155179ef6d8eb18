/* expect: safe
   native: none (the sanitizer sees a crash only) */
#include "../kernel_scratch.h"
#include <sys/mman.h>

int main(void) {
  char *block = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(0, 4096);
  block[0] = 1;
  return 0;
}
