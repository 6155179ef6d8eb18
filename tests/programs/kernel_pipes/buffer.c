/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  int ends[2];
  char text[8];
  assert(pipe(ends) == 0);
  assert(write(ends[1], "abcd", 4) == 4);
  assert(read(ends[0], text, 3) == 3 && !memcmp(text, "abc", 3));
  assert(write(ends[1], "ef", 2) == 2);
  assert(read(ends[0], text, 8) == 3 && !memcmp(text, "def", 3));
  assert(lseek(ends[0], 0, SEEK_SET) == -1 && errno == ESPIPE);
  assert(write(ends[0], "x", 1) == -1 && errno == EBADF);
  return 0;
}
