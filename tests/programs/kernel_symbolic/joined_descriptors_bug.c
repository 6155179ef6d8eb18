/* A descriptor leads to one of two files, and another is open on some paths only: each path finds its own.
   expect: unsafe
   native: asan
   input: which=1 closes=0 */
#include "../kernel_scratch.h"
#include "unfork.h"

int main(void) {
  enter();
  unsigned char which, closes;
  unfork_symbolic(&which, 1, "which");
  unfork_symbolic(&closes, 1, "closes");
  int first = file_with("f", "one"), second = file_with("g", "two!");
  unlink("f");
  unlink("g");
  leave();
  if (which == 1) dup2(second, first);
  if (closes) close(second);
  char text[5] = {0};
  long count = read(first, text, 4);
  assert(count == (which == 1 ? 4 : 3));
  assert(!strcmp(text, which == 1 ? "two!" : "one"));
  int next = dup(first);
  assert(next == (closes ? second : second + 1));
  assert(lseek(next, 0, SEEK_CUR) == count);
  if (!closes) assert(lseek(second, 0, SEEK_CUR) == 0); /* BUG: assert */
  return 0;
}
