/* Bytes that depend on inputs keep their values in a file.
   expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"
#include "unfork.h"

int main(void) {
  enter();
  unsigned given, seen;
  unfork_symbolic(&given, sizeof given, "given");
  int fd = file_with("f", "");
  assert(write(fd, &given, 4) == 4 && lseek(fd, 0, SEEK_SET) == 0);
  assert(read(fd, &seen, 4) == 4 && seen == given);
  unlink("f");
  leave();
  return 0;
}
