/* A slash in a symbolic name leads into a directory.
   expect: safe
   native: asan */
#include "../kernel_scratch.h"
#include "unfork.h"

int main(void) {
  enter();
  assert(mkdir("d", 0755) == 0);
  close(file_with("d/a", "1"));
  char name[4] = {0};
  unfork_symbolic(name, 3, "name");
  int fd = open(name, O_RDONLY);
  if (!memcmp(name, "d/a", 4)) assert(fd >= 0);
  if (!memcmp(name, "d/b", 4)) assert(fd == -1 && errno == ENOENT);
  if (!memcmp(name, "d", 2)) assert(fd >= 0);
  if (name[0] == 0) assert(fd == -1 && errno == ENOENT);
  unlink("d/a");
  rmdir("d");
  leave();
  return 0;
}
