/* A number that is known on one path and anything on the other: what holds for some of its values is not what holds.

   expect: unsafe
   input: way=01 value=20000000 noise=00
   input: way=00 value=20000000 noise=00
*/
#include <assert.h>

#include "unfork.h"

int main(void) {
  char way, noise;
  int value;
  unfork_symbolic(&way, sizeof way, "way");
  unfork_symbolic(&value, sizeof value, "value");
  unfork_symbolic(&noise, sizeof noise, "noise");
  int upper = 10, lower = 10;
  if (way)
    upper = value;
  else
    lower = value;
  if (noise & 1)
    noise = 2;
  assert(upper < 20); /* BUG: assert */
  assert(lower < 20); /* BUG: assert */
  return 0;
}
