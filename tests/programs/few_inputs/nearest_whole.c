/* One half added and cut off: it differs from the nearest even number at ties.
   expect: unsafe
   native: asan
   input: a=1 b=2 */
#include <assert.h>
#include <math.h>
#include "unfork.h"

int main(void) {
  unsigned char a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  if (b == 0) return 0;
  double x = (double)a / (double)b;
  assert(rint(x) == floor(x + 0.5)); /* BUG: assert */
  return 0;
}
