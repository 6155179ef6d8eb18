/* A size that the kernel tells is as good as any other number.
   expect: unsafe
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  struct stat about;
  int fd = file_with("f", "abcd");
  fstat(fd, &about);
  unlink("f");
  leave();
  char text[4] = "abc";
  text[about.st_size] = 0; /* BUG: out-of-bounds */
  return 0;
}
