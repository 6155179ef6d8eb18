/* expect: unsafe
   options: --check overflow
   native: asan
   input: x=-2147483648 */
#include <assert.h>
#include "unfork.h"

static int absolute(int x) {
  return x < 0 ? -x : x; /* BUG: overflow */
}

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  assert(absolute(x) >= 0);
  return 0;
}
