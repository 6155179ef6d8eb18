/* The remainder of small whole numbers is the same in floats.
   expect: safe
   native: asan */
#include <assert.h>
#include <math.h>
#include "unfork.h"

int main(void) {
  unsigned char a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  if (b == 0) return 0;
  assert(fmodf(a, b) == (float)(a % b));
  return 0;
}
