/* Set bits counted by a multiplication, and by a remainder.
   expect: safe
   native: asan */
#include <assert.h>
#include <stdint.h>
#include "unfork.h"

int main(void) {
  uint32_t x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x >= 1u << 22) return 0;
  uint32_t v = x - (x >> 1 & 0x55555555u);
  v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
  v = ((v + (v >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
  uint32_t w = x - (x >> 1 & 033333333333u) - (x >> 2 & 011111111111u);
  w = ((w + (w >> 3)) & 030707070707u) % 63;
  assert(v == w);
  return 0;
}
