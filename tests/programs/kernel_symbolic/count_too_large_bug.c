/* expect: unsafe
   native: asan
   input: count=9 */
#include "../kernel_scratch.h"
#include "unfork.h"

int main(void) {
  enter();
  unsigned char count;
  unfork_symbolic(&count, 1, "count");
  char text[8];
  int fd = file_with("f", "abcdefghijkl");
  unlink("f");
  leave();
  if (count > 9) count = 9;
  read(fd, text, count); /* BUG: out-of-bounds */
  return 0;
}
