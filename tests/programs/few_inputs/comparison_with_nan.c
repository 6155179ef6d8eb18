/* Zero over zero is a NaN, and then neither comparison holds.
   expect: unsafe
   native: asan
   input: a=7 b=7 */
#include <assert.h>
#include "unfork.h"

int main(void) {
  signed char a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  float q = ((float)a - 7.0f) / ((float)b * (float)b - 49.0f);
  if (q * q < 1e-6f) return 0;
  assert(q * q >= 1e-6f); /* BUG: assert */
  return 0;
}
