/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  int fd = open("f", O_CREAT | O_EXCL | O_WRONLY, 0600);
  assert(fd >= 3);
  assert(open("f", O_CREAT | O_EXCL | O_WRONLY, 0600) == -1 && errno == EEXIST);
  assert(open("g", O_RDONLY) == -1 && errno == ENOENT);
  assert(open("f/x", O_RDONLY) == -1 && errno == ENOTDIR);
  assert(open(".", O_WRONLY) == -1 && errno == EISDIR);
  assert(open("f", O_RDONLY | O_DIRECTORY) == -1 && errno == ENOTDIR);
  char text[1];
  assert(read(fd, text, 1) == -1 && errno == EBADF);
  unlink("f");
  leave();
  return 0;
}
