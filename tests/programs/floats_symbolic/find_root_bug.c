/* expect: unsafe
   native: asan
   input: x=1.5 */
#include <assert.h>
#include "unfork.h"

int main(void) {
  double x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x > 0 && x < 10) assert(x * 2 != 3.0); /* BUG: assert */
  return 0;
}
