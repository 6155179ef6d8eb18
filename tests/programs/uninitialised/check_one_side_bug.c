/* Where bytes are unwritten for some inputs only, the others go on, and their own faults are found.
   expect: unsafe
   options: --check uninitialised
   native: none (gcc has no check for uninitialised reads) */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned char c, set;
  unfork_symbolic(&c, 1, "c");
  if (c > 9) set = c;
  if (set == 20) return 1; /* BUG: uninitialised */
  assert(c != 50); /* BUG: assert */
  return 0;
}
