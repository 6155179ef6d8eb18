/* Whether a sum of cubes of doubles has this value takes any solver long; the bug lies behind, on every side.
   expect: unsafe
   options: --hard sample
   native: asan
   input: x=1.0 y=2.0 key=77
   input: x=1.0 y=2.0 key=9 */
#include <assert.h>
#include "unfork.h"

int main(void) {
  double x, y;
  unsigned char key;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_symbolic(&y, sizeof y, "y");
  unfork_symbolic(&key, sizeof key, "key");
  if (x * x * x + y * y * y - x * y * 0.3 == 1729.03125) return 1;
  if (key < 10) {
    int quotient = 90 / (key - 9); /* BUG: div-by-zero */
    return quotient;
  }
  assert(key != 77); /* BUG: assert */
  return 0;
}
