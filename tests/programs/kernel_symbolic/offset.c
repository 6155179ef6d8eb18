/* Reading and writing at an offset that depends on inputs.
   expect: safe
   native: asan */
#include "../kernel_scratch.h"
#include "unfork.h"

int main(void) {
  enter();
  unsigned char at;
  unfork_symbolic(&at, 1, "at");
  at &= 3;
  char text[8] = {0}, one = 0;
  int fd = file_with("f", "abcd");
  assert(pread(fd, &one, 1, at) == 1 && one == 'a' + at);
  assert(lseek(fd, at, SEEK_SET) == at && write(fd, "Z", 1) == 1);
  assert(pread(fd, text, 8, 0) == 4);
  for (int i = 0; i < 4; i++) assert(text[i] == (i == at ? 'Z' : 'a' + i));
  unlink("f");
  leave();
  return 0;
}
