/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdint.h>

int main(void) {
  volatile uint8_t a8 = 250, b8 = 10;
  volatile uint16_t a16 = 65530, b16 = 10;
  volatile uint32_t a32 = 4294967290u, b32 = 10;
  volatile uint64_t a64 = 18446744073709551610ull, b64 = 10;
  assert((uint8_t)(a8 + b8) == 4 && a8 + b8 == 260);
  assert((uint16_t)(a16 + b16) == 4 && a16 + b16 == 65540);
  assert(a32 + b32 == 4 && (uint64_t)a32 + b32 == 4294967300ull);
  assert(a64 + b64 == 4);
  assert((uint8_t)(b8 - a8) == 16 && b8 - a8 == -240);
  return 0;
}
