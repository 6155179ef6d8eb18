/* A small addend can vanish.
   expect: unsafe
   native: asan
   input: x=100000000.0 */
#include <assert.h>
#include "unfork.h"

int main(void) {
  float x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x >= 0 && x <= 1e9f) assert(x + 1.0f > x); /* BUG: assert */
  return 0;
}
