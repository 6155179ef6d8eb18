/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  int ends[2];
  char text[8];
  assert(pipe(ends) == 0 && write(ends[1], "a", 1) == 1 && close(ends[1]) == 0);
  assert(read(ends[0], text, 8) == 1 && read(ends[0], text, 8) == 0);
  return 0;
}
