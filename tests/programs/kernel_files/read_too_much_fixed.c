/* The kernel writes as much as it is asked to: a buffer that is too short is a fault of the caller.
   expect: safe
   native: asan */
#include "../kernel_scratch.h"

int main(void) {
  enter();
  char *text = malloc(4);
  int fd = file_with("f", "abcdef");
  unlink("f");
  leave();
  read(fd, text, 4);
  free(text);
  return 0;
}
