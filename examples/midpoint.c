/* A binary search whose midpoint overflows when both bounds are large. Signed overflow is looked for when asked:

     unfork run --check memory,div,shift,unreachable,overflow examples/midpoint.c
                                          one error (an overflow), exit status 1
     unfork run examples/midpoint.c       no error without the check, exit status 0

   expect: unsafe
   options: --check memory,div,shift,unreachable,overflow
   native: asan
*/
#include "unfork.h"

static int midpoint(int low, int high) {
  return (low + high) / 2; /* BUG: overflow */
}

int main(void) {
  int low, high;

  unfork_symbolic(&low, sizeof low, "low");
  unfork_symbolic(&high, sizeof high, "high");
  unfork_assume(0 <= low && low <= high);
  return midpoint(low, high) < 0 ? 1 : 0;
}
