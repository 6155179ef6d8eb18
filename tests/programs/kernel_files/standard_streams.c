/* Nothing here is a terminal.
   expect: safe
   paths: 1
   native: none (what its standard streams are depends on who starts it) */
#include "../kernel_scratch.h"

int main(void) {
  char text[4];
  assert(read(0, text, 4) == 0);
  assert(!isatty(0) && !isatty(1) && !isatty(2));
  assert(write(1, "out\n", 4) == 4 && write(2, "err\n", 4) == 4);
  assert(lseek(1, 0, SEEK_CUR) == -1 && errno == ESPIPE);
  assert(write(0, "x", 1) == -1 && errno == EBADF);
  return 0;
}
