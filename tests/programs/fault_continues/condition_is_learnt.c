/* Behind the division the divisor is known to differ from zero.
   expect: unsafe
   paths: 2
   native: asan
   input: d=0 */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int d;
  unfork_symbolic(&d, sizeof d, "d");
  unfork_assume(d >= 0);
  int q = 100 / d; /* BUG: div-by-zero */
  assert(d > 0);
  assert(q <= 100);
  return 0;
}
