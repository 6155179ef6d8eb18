/* Which function a pointer leads to is part of what a path may do.

   expect: unsafe
   input: way=01 noise=00
*/
#include <assert.h>

#include "unfork.h"

static int keep(int x) { return x; }
static int twice(int x) { return 2 * x; }

int main(void) {
  char way, noise;
  unfork_symbolic(&way, sizeof way, "way");
  unfork_symbolic(&noise, sizeof noise, "noise");
  int (*change)(int) = keep;
  if (way)
    change = twice;
  if (noise)
    noise = 0;
  assert(change(3) < 6); /* BUG: assert */
  return 0;
}
