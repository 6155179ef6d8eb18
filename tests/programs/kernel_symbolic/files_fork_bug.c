/* Two paths write different things to one file; each sees its own.
   expect: unsafe
   native: asan
   input: which=2 */
#include "../kernel_scratch.h"
#include "unfork.h"

int main(void) {
  enter();
  unsigned char which;
  unfork_symbolic(&which, 1, "which");
  char text[8] = {0};
  int fd = file_with("f", "--------");
  if (which == 1) pwrite(fd, "one", 3, 0);
  else if (which == 2) pwrite(fd, "two", 3, 2);
  pread(fd, text, 7, 0);
  unlink("f");
  leave();
  if (which == 1) assert(!strcmp(text, "one----"));
  else if (which == 2) assert(!strcmp(text, "--two--"));
  else assert(!strcmp(text, "-------"));
  assert(which != 2 || text[2] != 't'); /* BUG: assert */
  return 0;
}
