/* Whether a sum of cubes of doubles has this value takes any solver long; nothing behind it fails.
   expect: unknown solver-unknown
   options: --hard sample
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  double x, y;
  unsigned char key;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_symbolic(&y, sizeof y, "y");
  unfork_symbolic(&key, sizeof key, "key");
  if (x * x * x + y * y * y - x * y * 0.3 == 1729.03125) return 0;
  if (key < 10) {
    int quotient = 90 / (key + 9);
    return quotient < 0;
  }
  assert(key >= 10);
  return 0;
}
