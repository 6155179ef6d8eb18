/* No file may be executed, and no user but the superuser may change the root.
   expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  char *words[] = {"f", NULL};
  close(file_with("f", ""));
  assert(execv("g", words) == -1 && errno == ENOENT);
  assert(execv("f", words) == -1 && errno == EACCES);
  assert(execv(".", words) == -1 && errno == EACCES);
  assert(chroot("f") == -1 && errno == ENOTDIR);
  assert(chroot("g") == -1 && errno == ENOENT);
  unlink("f");
  leave();
  return 0;
}
