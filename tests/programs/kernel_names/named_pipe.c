/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  struct stat about;
  assert(mkfifo("p", 0640) == 0 && stat("p", &about) == 0 && S_ISFIFO(about.st_mode));
  assert(mkfifo("p", 0640) == -1 && errno == EEXIST);
  assert(fchmodat(AT_FDCWD, "p", 0600, AT_SYMLINK_NOFOLLOW) == 0 && stat("p", &about) == 0);
  assert((about.st_mode & 0777) == 0600);
  assert(unlink("p") == 0);
  leave();
  return 0;
}
