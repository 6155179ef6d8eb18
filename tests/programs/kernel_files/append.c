/* Every write with O_APPEND goes to the end, wherever the offset is.
   expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  char text[8];
  close(file_with("f", "ab"));
  int fd = open("f", O_RDWR | O_APPEND);
  assert(lseek(fd, 0, SEEK_SET) == 0);
  assert(write(fd, "cd", 2) == 2);
  assert(lseek(fd, 0, SEEK_CUR) == 4);
  assert(pread(fd, text, 8, 1) == 3 && !memcmp(text, "bcd", 3));
  unlink("f");
  leave();
  return 0;
}
