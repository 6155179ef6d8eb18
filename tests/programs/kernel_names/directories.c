/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  struct stat about;
  assert(mkdir("d", 0755) == 0 && mkdir("d", 0755) == -1 && errno == EEXIST);
  assert(mkdir("d/e", 0755) == 0 && stat("d", &about) == 0 && about.st_nlink == 3);
  assert(rmdir("d") == -1 && errno == ENOTEMPTY);
  assert(rmdir("d/e") == 0 && rmdir("d") == 0 && rmdir("d") == -1 && errno == ENOENT);
  assert(mkdir("x/y", 0755) == -1 && errno == ENOENT);
  leave();
  return 0;
}
