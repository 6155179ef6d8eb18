/* A number of bytes that depends on inputs needs no fork but for none at all.
   expect: safe
   native: asan */
#include "../kernel_scratch.h"
#include "unfork.h"

int main(void) {
  enter();
  unsigned char count;
  unfork_symbolic(&count, 1, "count");
  count &= 7;
  char text[8] = {0};
  int fd = file_with("f", "");
  assert(write(fd, "abcdefg", count) == count);
  assert(lseek(fd, 0, SEEK_END) == count);
  assert(pread(fd, text, 8, 0) == count);
  for (int i = 0; i < 8; i++) assert(text[i] == (i < count ? "abcdefg"[i] : 0));
  unlink("f");
  leave();
  return 0;
}
