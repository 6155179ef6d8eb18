/* expect: unsafe
   options: --fail 1
   native: none (nothing fails there) */
#define GIVE_UP exit(0)
#include "../kernel_scratch.h"

int main(void) {
  enter();
  int fd = file_with("f", "abcd");
  char text[5] = "????";
  long count = read(fd, text, 4);
  assert(count < 0 || text[3] != '?'); /* BUG: assert */
  return 0;
}
