/* expect: safe
   options: --check shift
   native: asan */
#include <assert.h>
#include "unfork.h"

static unsigned rotate(unsigned x, unsigned n) { return x << (n & 31) | x >> (-n & 31); }

int main(void) {
  unsigned x, n;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_symbolic(&n, sizeof n, "n");
  assert(rotate(rotate(x, n), -n) == x);
  return 0;
}
