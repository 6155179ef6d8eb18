/* NaN is not equal to itself.
   expect: unsafe
   paths: 2
   native: asan
   input: x=nan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  float x;
  unfork_symbolic(&x, sizeof x, "x");
  float y = x;
  assert(x == y); /* BUG: assert */
  return 0;
}
