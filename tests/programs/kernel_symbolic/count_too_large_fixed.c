/* expect: safe
   native: asan */
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
  if (count > 8) count = 8;
  read(fd, text, count);
  return 0;
}
