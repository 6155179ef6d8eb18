/* Two sides ask for contrary things, so that each is asked under its own guard, and never without it: what is right for
   one half of the inputs is not for the other.

   expect: unsafe
   input: asks=00 way=01 noise=00
*/
#include <assert.h>

#include "unfork.h"

int main(void) {
  unsigned char asks, way, noise;
  unfork_symbolic(&asks, sizeof asks, "asks");
  unfork_symbolic(&way, sizeof way, "way");
  unfork_symbolic(&noise, sizeof noise, "noise");
  unsigned held = 1;
  if (way != 1)
    held = asks & 1;
  unsigned other = 0;
  if (noise & 1)
    other = 1;
  if (asks & 1)
    assert(held == 1);
  else
    assert(held == 0); /* BUG: assert */
  return (int)other;
}
