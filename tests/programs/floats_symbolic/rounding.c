/* expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  double x;
  unfork_symbolic(&x, sizeof x, "x");
  if (!(x > -1e6 && x < 1e6)) return 0;
  double low = __builtin_floor(x), high = __builtin_ceil(x);
  assert(low <= x && x <= high);
  assert(high - low <= 1.0);
  assert(__builtin_trunc(x) == (x < 0 ? high : low));
  return 0;
}
