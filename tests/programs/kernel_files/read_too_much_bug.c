/* The kernel writes as much as it is asked to: a buffer that is too short is a fault of the caller.
   expect: unsafe
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  char *text = malloc(4);
  int fd = file_with("f", "abcdef");
  unlink("f");
  leave();
  read(fd, text, 6); /* BUG: out-of-bounds */
  free(text);
  return 0;
}
