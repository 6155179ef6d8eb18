/* A size that the kernel tells is as good as any other number.
   expect: safe
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
  text[about.st_size - 1] = 0;
  return 0;
}
