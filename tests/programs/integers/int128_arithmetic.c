/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdint.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

int main(void) {
  volatile uint64_t high = 0x0123456789abcdefull, low = 0xfedcba9876543210ull;
  u128 x = ((u128)high << 64) | low;
  assert((uint64_t)(x >> 4) == 0xffedcba987654321ull);
  assert((uint64_t)((x * 3) >> 64) == 0x369d0369d0369cfull);
  assert(x / 1000003 * 1000003 + x % 1000003 == x);
  i128 n = -(i128)x;
  assert(n < 0 && (n >> 127) == -1 && n / (i128)low == -(i128)(x / low));
  assert((uint64_t)(n + x) == 0);
  assert(n % 10 == -(i128)(x % 10));
  return 0;
}
