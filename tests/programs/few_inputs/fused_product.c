/* Rounded once or twice: the same while product and sum are exact.
   expect: safe
   native: asan */
#include <assert.h>
#include <math.h>
#include "unfork.h"

int main(void) {
  signed char a, b;
  unsigned char c;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  unfork_symbolic(&c, sizeof c, "c");
  if (c >= 64) return 0;
  float x = (float)a / 64.0f, y = (float)b / 64.0f, z = (float)c;
  assert(fmaf(x, y, z) == x * y + z);
  return 0;
}
