/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdint.h>
#include "unfork.h"

int main(void) {
  uint32_t x;
  unfork_symbolic(&x, sizeof x, "x");
  uint32_t by_hand = x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24;
  assert(__builtin_bswap32(x) == by_hand);
  assert(__builtin_bswap16(0x1234) == 0x3412);
  assert(__builtin_bswap64(0x0102030405060708ull) == 0x0807060504030201ull);
  return 0;
}
