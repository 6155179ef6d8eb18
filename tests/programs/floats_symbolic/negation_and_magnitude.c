/* expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  float x;
  unfork_symbolic(&x, sizeof x, "x");
  if (__builtin_isnan(x)) return 0;
  float m = __builtin_fabsf(x);
  assert(m >= 0.0f);
  assert(m == x || m == -x);
  assert(-(-x) == x);
  return 0;
}
