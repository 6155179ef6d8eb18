/* expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  float x;
  unfork_symbolic(&x, sizeof x, "x");
  if (!(x >= 0.0f && x <= 100.0f)) return 0;
  float r = __builtin_sqrtf(x);
  assert(r >= 0.0f && r <= 10.0f);
  return 0;
}
