/* unfork_check is an assertion that NDEBUG does not remove.
   expect: unsafe
   options: -D NDEBUG
   native: asan
   input: x=8 */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  assert(x != 9);
  unfork_check(x != 8); /* BUG: assert */
  return 0;
}
