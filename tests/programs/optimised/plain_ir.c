/* --optimize 0 runs the compiler's own code.
   expect: unsafe
   options: --optimize 0
   native: asan
   input: x=12 */
#include <assert.h>
#include "unfork.h"

static int step(int x) { return x % 2 ? 3 * x + 1 : x / 2; }

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x >= 1 && x <= 12);
  int rounds = 0;
  for (int n = x; n != 1; n = step(n)) rounds++;
  assert(rounds != 9 || x != 12); /* BUG: assert */
  return 0;
}
