/* What is registered to run at exit is no value in memory, and matters all the same.

   expect: unsafe
   input: way=01 noise=00
*/
#include <assert.h>
#include <stdlib.h>

#include "unfork.h"

static int done;

static void last(void) { assert(done == 1); /* BUG: assert */ }

int main(void) {
  char way, noise;
  unfork_symbolic(&way, sizeof way, "way");
  unfork_symbolic(&noise, sizeof noise, "noise");
  if (way)
    atexit(last);
  if (noise)
    noise = 0;
  done = 2;
  return 0;
}
