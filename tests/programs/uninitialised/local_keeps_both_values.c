/* Reading an uninitialised local must not be folded to the one value that is assigned on some path.
   expect: unsafe
   paths: 3
   native: none (gcc has no check for uninitialised reads) */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int x, y;
  unfork_symbolic(&x, sizeof x, "x");
  if (x > 0) y = 1;
  assert(y == 1); /* BUG: assert */
  return 0;
}
