/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  close(file_with("f", "x"));
  assert(unlink("f") == 0);
  assert(unlink("f") == -1 && errno == ENOENT);
  assert(mkdir("d", 0755) == 0);
  assert(unlink("d") == -1 && errno == EISDIR);
  assert(unlinkat(AT_FDCWD, "d", AT_REMOVEDIR) == 0);
  leave();
  return 0;
}
