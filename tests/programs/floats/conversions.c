/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdint.h>

int main(void) {
  volatile double d = 4294967295.75;
  assert((uint32_t)d == 4294967295u && (int64_t)d == 4294967295ll);
  assert((float)d == 4294967296.0f);
  volatile uint64_t u = 9223372036854775809ull;
  assert((double)u == 9223372036854775808.0 && (float)u == 9223372036854775808.0f);
  volatile uint64_t halfway = (1ull << 53) + 1;
  assert((double)halfway == 9007199254740992.0 && (double)(halfway + 2) == 9007199254740996.0);
  volatile double back = 1.8446744073709550e19;
  assert((uint64_t)back == 18446744073709549568ull);
  return 0;
}
