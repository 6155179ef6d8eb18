/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdint.h>

int main(void) {
  volatile int32_t n = -16;
  volatile uint32_t u = 0x80000001u;
  volatile unsigned char by = 3;
  assert(n >> by == -2);
  assert(u >> by == 0x10000000u && u << by == 8);
  volatile uint64_t w = 1;
  for (int i = 0; i < 64; i++) assert(w << i >> i == 1);
  volatile int8_t c = -128;
  assert((c >> 7) == -1 && ((uint8_t)c >> 7) == 1);
  return 0;
}
