/* A quotient is rounded: times its divisor it need not be the dividend.
   expect: unsafe
   native: asan
   input: a=1 b=41 */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned char a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  if (b == 0) return 0;
  float q = (float)a / (float)b;
  assert(q * (float)b == (float)a); /* BUG: assert */
  return 0;
}
