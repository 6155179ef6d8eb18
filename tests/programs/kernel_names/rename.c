/* expect: safe
   paths: 1
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  char text[4];
  close(file_with("a", "1"));
  close(file_with("b", "2"));
  assert(rename("a", "b") == 0 && access("a", F_OK) == -1);
  int fd = open("b", O_RDONLY);
  assert(read(fd, text, 4) == 1 && text[0] == '1');
  assert(rename("none", "x") == -1 && errno == ENOENT);
  assert(mkdir("d", 0755) == 0 && rename("b", "d/c") == 0 && access("d/c", F_OK) == 0);
  assert(rename("d", "d/e") == -1 && errno == EINVAL);
  assert(rename("d/c", "d") == -1 && errno == ENOTEMPTY);
  assert(rename("d", "e") == 0 && unlink("e/c") == 0 && rmdir("e") == 0);
  leave();
  return 0;
}
