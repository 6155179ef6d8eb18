/* expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include <stdbool.h>
#include "unfork.h"

static bool parity(unsigned x) {
  bool odd = false;
  for (int i = 0; i < 8; i++) odd ^= x >> i & 1;
  return odd;
}

int main(void) {
  unsigned x;
  unfork_symbolic(&x, sizeof x, "x");
  x &= 255;
  bool p = parity(x);
  assert(p + parity(x ^ 1) == 1);
  assert(sizeof(bool) == 1 && (p == 0 || p == 1));
  bool wide = x * 256;
  assert(wide == (x != 0));
  return 0;
}
