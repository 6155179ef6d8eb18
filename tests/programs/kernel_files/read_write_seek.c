/* What was written is read back, at offsets that move on.
   expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  char text[16] = {0};
  int fd = open("f", O_RDWR | O_CREAT, 0644);
  assert(fd >= 3);
  assert(write(fd, "abcdef", 6) == 6);
  assert(lseek(fd, 0, SEEK_CUR) == 6);
  assert(lseek(fd, -4, SEEK_END) == 2);
  assert(read(fd, text, 2) == 2 && !memcmp(text, "cd", 2));
  assert(read(fd, text, 16) == 2 && !memcmp(text, "ef", 2));
  assert(read(fd, text, 16) == 0);
  assert(lseek(fd, -1, SEEK_SET) == -1 && errno == EINVAL);
  assert(close(fd) == 0 && close(fd) == -1 && errno == EBADF);
  unlink("f");
  leave();
  return 0;
}
