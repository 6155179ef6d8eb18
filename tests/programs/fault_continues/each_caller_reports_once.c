/* One error per kind and place, however many paths lead there.
   expect: unsafe
   native: asan
   input: x=1 y=3 */
#include <assert.h>
#include "unfork.h"

static void check(int v) {
  assert(v != 3); /* BUG: assert */
}

int main(void) {
  int x, y;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_symbolic(&y, sizeof y, "y");
  if (x > 0)
    check(y);
  else
    check(y + 1);
  return 0;
}
