/* Positive floats are ordered like their bits.
   expect: safe
   native: asan */
#include <assert.h>
#include <stdint.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  float a, b;
  uint32_t x, y;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_symbolic(&y, sizeof y, "y");
  unfork_assume(x <= 0x7f800000u);
  unfork_assume(y <= 0x7f800000u);
  memcpy(&a, &x, 4);
  memcpy(&b, &y, 4);
  assert((a < b) == (x < y));
  return 0;
}
