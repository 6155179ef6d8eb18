/* States are covered at the first place after the noise, again and again; one that brings something else along fails
   there as the others do, and once more, far behind.

   expect: unsafe
   input: way=00 size=09 noise=0000
   input: way=01 size=00 noise=0000
*/
#include <assert.h>

#include "unfork.h"

static int depth;
static void check(int size) { assert(size < 9); } /* BUG: assert */

int main(void) {
  unsigned char way, size, noise[2];
  unfork_symbolic(&way, sizeof way, "way");
  unfork_symbolic(&size, sizeof size, "size");
  unfork_symbolic(noise, sizeof noise, "noise");
  int brought = way == 1;
  for (int i = 0; i < 2; ++i)
    if (noise[i] > 5)
      depth = 1;
    else
      depth = 2;
  check(size);
  for (int i = 0; i < 2; ++i)
    if (noise[i] > 9)
      depth = 3;
  assert(!brought); /* BUG: assert */
  return 0;
}
