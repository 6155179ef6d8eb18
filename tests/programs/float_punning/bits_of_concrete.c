/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdint.h>
#include <string.h>

static uint32_t bits(float f) {
  uint32_t u;
  memcpy(&u, &f, 4);
  return u;
}

int main(void) {
  volatile float one = 1.0f;
  assert(bits(one) == 0x3f800000u && bits(-one) == 0xbf800000u && bits(0.1f) == 0x3dcccccdu);
  union { double d; uint64_t u; } p = {.d = -2.0};
  assert(p.u == 0xc000000000000000ull);
  p.u = 0x7ff0000000000000ull;
  assert(p.d > 1e308);
  return 0;
}
