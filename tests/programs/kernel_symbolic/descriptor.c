/* A descriptor that depends on inputs is one of the open ones, or none.
   expect: safe
   native: asan */
#include "../kernel_scratch.h"
#include "unfork.h"

int main(void) {
  enter();
  int fd = file_with("f", "ab");
  unlink("f");
  leave();
  unsigned char which;
  unfork_symbolic(&which, 1, "which");
  if (which < 3) which = 200;
  char text[2];
  long count = read(which, text, 2);
  if (which == fd) assert(count == 2 && text[1] == 'b');
  else assert(count == -1 && errno == EBADF);
  return 0;
}
