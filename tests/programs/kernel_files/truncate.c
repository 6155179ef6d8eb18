/* What is cut off is gone, what is added is zero.
   expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  char text[8];
  int fd = file_with("f", "abcdef");
  assert(ftruncate(fd, 2) == 0);
  assert(ftruncate(fd, 5) == 0);
  assert(read(fd, text, 8) == 5 && !memcmp(text, "ab\0\0\0", 5));
  assert(truncate("f", 1) == 0 && lseek(fd, 0, SEEK_END) == 1);
  close(open("f", O_WRONLY | O_TRUNC));
  assert(lseek(fd, 0, SEEK_END) == 0);
  unlink("f");
  leave();
  return 0;
}
