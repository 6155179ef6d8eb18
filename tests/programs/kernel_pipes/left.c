/* FIONREAD counts what is left.
   expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include <sys/ioctl.h>

int main(void) {
  int ends[2], left = -1;
  char text[8];
  assert(pipe(ends) == 0 && write(ends[1], "abcd", 4) == 4 && read(ends[0], text, 1) == 1);
  assert(ioctl(ends[0], FIONREAD, &left) == 0 && left == 3);
  return 0;
}
