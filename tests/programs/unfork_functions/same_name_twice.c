/* Two objects of one name are different inputs.
   expect: unsafe
   native: asan
   input: x=1 x=2 */
#include <assert.h>
#include "unfork.h"

static int input(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  return x;
}

int main(void) {
  int a = input(), b = input();
  if (a == 1) assert(b != 2); /* BUG: assert */
  return 0;
}
