/* expect: unsafe
   options: --fail 1
   native: none (nothing fails there) */
#define GIVE_UP exit(0)
#include "../kernel_scratch.h"

int main(void) {
  enter();
  int fd = open("f", O_CREAT | O_WRONLY, 0644);
  assert(fd >= 0); /* BUG: assert */
  return 0;
}
