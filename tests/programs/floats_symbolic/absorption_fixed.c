/* expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  float x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x >= 0 && x <= 8388608.0f) assert(x + 1.0f > x);
  return 0;
}
