/* Newton's iteration for the root of a whole number, five steps from above.
   expect: safe
   native: asan */
#include <assert.h>
#include <stdint.h>
#include "unfork.h"

int main(void) {
  uint32_t n;
  unfork_symbolic(&n, sizeof n, "n");
  if (n == 0 || n >= 1u << 16) return 0;
  uint32_t r = 1u << (16 - __builtin_clz(n) / 2);
  for (int i = 0; i < 5; i++) {
    uint32_t next = (r + n / r) / 2;
    r = next < r ? next : r;
  }
  assert(r * r <= n && n < (r + 1) * (r + 1));
  return 0;
}
