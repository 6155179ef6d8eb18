/* The first fault ends its path only; the second is found behind it.
   expect: unsafe
   paths: 3
   native: asan
   input: x=1
   input: x=2 */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  assert(x != 1); /* BUG: assert */
  assert(x != 2); /* BUG: assert */
  return 0;
}
