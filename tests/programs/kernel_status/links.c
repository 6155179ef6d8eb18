/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  struct stat about;
  close(file_with("f", "abc"));
  symlink("f", "s");
  assert(lstat("s", &about) == 0 && S_ISLNK(about.st_mode) && about.st_size == 1);
  assert(stat("s", &about) == 0 && S_ISREG(about.st_mode));
  assert(fstatat(AT_FDCWD, "s", &about, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(about.st_mode));
  unlink("s");
  unlink("f");
  leave();
  return 0;
}
