/* An open file lives on without a name.
   expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  char text[4];
  int fd = file_with("f", "ab");
  assert(unlink("f") == 0 && access("f", F_OK) == -1);
  assert(write(fd, "xy", 2) == 2 && pread(fd, text, 4, 0) == 2 && text[0] == 'x');
  close(fd);
  leave();
  return 0;
}
