/* One line fails in two ways: that one of them is known there says nothing of a state that fails in the other.

   expect: unsafe
   native: asan
   input: way=01 noise=00
   input: way=02 noise=00
*/
#include "unfork.h"

int main(void) {
  unsigned char way, noise;
  int table[4] = {1, 2, 3, 4};
  unfork_symbolic(&way, sizeof way, "way");
  unfork_symbolic(&noise, sizeof noise, "noise");
  unsigned at = 1, by = 1;
  if (way == 1)
    at = 4;
  if (way == 2)
    by = 0;
  unsigned odd = 0;
  if (noise & 1)
    odd = 1;
  return (int)(table[at] / by) + (int)odd; /* BUG: out-of-bounds, div-by-zero */
}
