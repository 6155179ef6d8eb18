/* What is asked for is held, unless it was forgotten: paths that do not ask say nothing of those that do.

   expect: unsafe
   native: asan
*/
#include <assert.h>

#include "unfork.h"

int main(void) {
  char asks, forgets;
  int held = 0, forgotten = 0;
  unfork_symbolic(&asks, sizeof asks, "asks");
  unfork_symbolic(&forgets, sizeof forgets, "forgets");
  if (forgets != 7)
    forgotten = 1;
  if (asks)
    held = forgotten;
  int got = 1;
  if (asks)
    got = held;
  assert(got == 1); /* BUG: assert */
  return 0;
}
