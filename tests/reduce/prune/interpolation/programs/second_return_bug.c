/* One function, called from two places: what follows the one return is not what follows the other.

   expect: unsafe
   input: way=01 value=09 noise=00
*/
#include <assert.h>

#include "unfork.h"

static int seen;
static int half(unsigned value, unsigned char noise) {
  if (noise & 1)
    seen = 1;
  if (noise & 2)
    seen = 2;
  return (int)value / 2;
}

int main(void) {
  unsigned char way, value, noise;
  unfork_symbolic(&way, sizeof way, "way");
  unfork_symbolic(&value, sizeof value, "value");
  unfork_symbolic(&noise, sizeof noise, "noise");
  if (way != 1)
    return half(value, noise) > 200;
  assert(half(value, noise) != 4); /* BUG: assert */
  return 0;
}
