/* Is x + 1 larger than x? Not for every float: near 2^24 the step between neighbours becomes 2, and 1 is absorbed. The
   solver reasons about IEEE 754 arithmetic and finds such an x.

     unfork run examples/absorption.c     one error (an assertion), exit status 1

   expect: unsafe
   native: asan
*/
#include <assert.h>

#include "unfork.h"

int main(void) {
  float x;

  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x >= 0.0f && x <= 1.0e9f);
  assert(x + 1.0f > x); /* BUG: assert */
  return 0;
}
