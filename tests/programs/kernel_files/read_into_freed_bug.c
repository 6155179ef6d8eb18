/* expect: unsafe
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  char *text = malloc(4);
  int fd = file_with("f", "abcdef");
  unlink("f");
  leave();
  free(text);
  read(fd, text, 4); /* BUG: use-after-free */
  return 0;
}
