/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdint.h>

int main(void) {
  volatile uint64_t wide = 0x1122334455667788ull;
  assert((uint32_t)wide == 0x55667788u);
  assert((uint16_t)wide == 0x7788u);
  assert((uint8_t)wide == 0x88u);
  assert((int8_t)wide == -120);
  assert((int64_t)(int8_t)wide == -120);
  assert((uint64_t)(int8_t)wide == 0xffffffffffffff88ull);
  return 0;
}
