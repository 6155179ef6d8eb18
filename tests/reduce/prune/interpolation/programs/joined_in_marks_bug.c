/* What is joined within marks still needs what was decided before them.

   expect: unsafe
   native: asan
*/
#include <assert.h>

#include "unfork.h"

static volatile int sink;

int main(void) {
  unsigned char mode, noise;
  int limit = 0;
  unfork_symbolic(&mode, sizeof mode, "mode");
  unfork_symbolic(&noise, sizeof noise, "noise");
  if (mode == 77)
    limit = 1;
  unfork_merge_begin();
  if (noise & 1)
    sink = 1;
  else
    sink = 2;
  unfork_merge_end();
  if (noise & 2)
    sink = 3;
  assert(limit == 0); /* BUG: assert */
  return 0;
}
