/* The remainder of a large double by a small one: far apart, their exponents make a long division.
   expect: safe
   native: asan */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include "unfork.h"

int main(void) {
  unsigned char a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  if (b == 0) return 0;
  uint64_t large = (uint64_t)a << 52;
  assert(fmod((double)large, (double)b) == (double)(large % b));
  return 0;
}
