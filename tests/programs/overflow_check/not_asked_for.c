/* Without --check overflow a signed overflow wraps, as the hardware does.
   expect: safe
   native: none (a sanitizer would object) */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  int y = (int)((unsigned)x + 1u);
  volatile int one = 1;
  int z = x + one;
  assert(y == z);
  return 0;
}
