/* Funnel shifts and bit reversal.
   expect: safe
   paths: 1
   native: clang */
#include <assert.h>
#include <stdint.h>
#include "unfork.h"

int main(void) {
  uint32_t x;
  unfork_symbolic(&x, sizeof x, "x");
  assert(__builtin_rotateleft32(x, 8) == (x << 8 | x >> 24));
  assert(__builtin_rotateright32(x, 0) == x);
  assert(__builtin_rotateleft8(0x81, 1) == 0x03);
  assert(__builtin_bitreverse8(0x13) == 0xc8);
  assert(__builtin_bitreverse32(__builtin_bitreverse32(x)) == x);
  return 0;
}
