/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  close(file_with("f", "x"));
  assert(access("f", R_OK | W_OK) == 0 && access("none", F_OK) == -1 && errno == ENOENT);
  assert(faccessat(AT_FDCWD, "f", R_OK, 0) == 0 && access("f/x", F_OK) == -1 && errno == ENOTDIR);
  unlink("f");
  leave();
  return 0;
}
