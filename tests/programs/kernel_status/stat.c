/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  struct stat a, b;
  int fd = file_with("f", "abc");
  assert(stat("f", &a) == 0 && fstat(fd, &b) == 0);
  assert(S_ISREG(a.st_mode) && a.st_size == 3 && a.st_nlink == 1);
  assert(a.st_ino == b.st_ino && a.st_dev == b.st_dev && a.st_uid == getuid());
  assert(stat(".", &b) == 0 && S_ISDIR(b.st_mode) && b.st_ino != a.st_ino);
  assert(stat("none", &a) == -1 && errno == ENOENT);
  unlink("f");
  leave();
  return 0;
}
