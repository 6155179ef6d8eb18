/* A root of a rounded square: squares of 16 bits have 32, more than a float's 24, and the root is still the number.
   expect: safe
   native: asan */
#include <assert.h>
#include <math.h>
#include "unfork.h"

int main(void) {
  unsigned short x;
  unfork_symbolic(&x, sizeof x, "x");
  assert(sqrtf((float)x * (float)x) == (float)x);
  return 0;
}
