/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdint.h>

static uint64_t multiply_high(uint64_t a, uint64_t b) {
  uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
  uint64_t middle = ah * bl + (al * bl >> 32);
  uint64_t other = al * bh + (uint32_t)middle;
  return ah * bh + (middle >> 32) + (other >> 32);
}

int main(void) {
  volatile uint64_t x = 0xdeadbeefcafebabeull, y = 0x123456789abcdef1ull;
  assert(multiply_high(x, y) == (uint64_t)((unsigned __int128)x * y >> 64));
  assert(multiply_high(~0ull, ~0ull) == ~0ull - 1);
  return 0;
}
