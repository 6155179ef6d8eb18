/* expect: safe
   options: --check overflow
   native: asan */
#include <assert.h>
#include "unfork.h"

static unsigned absolute(int x) { return x < 0 ? -(unsigned)x : (unsigned)x; }

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  assert(absolute(x) <= 2147483648u);
  return 0;
}
