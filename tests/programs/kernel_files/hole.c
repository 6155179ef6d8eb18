/* A file that is written beyond its end has zeros in between.
   expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  char text[8];
  int fd = file_with("f", "ab");
  assert(lseek(fd, 5, SEEK_SET) == 5);
  assert(write(fd, "z", 1) == 1);
  assert(pread(fd, text, 8, 0) == 6 && !memcmp(text, "ab\0\0\0z", 6));
  unlink("f");
  leave();
  return 0;
}
