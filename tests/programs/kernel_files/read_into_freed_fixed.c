/* expect: safe
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  char *text = malloc(4);
  int fd = file_with("f", "abcdef");
  unlink("f");
  leave();
  text = malloc(4);
  read(fd, text, 4);
  return 0;
}
