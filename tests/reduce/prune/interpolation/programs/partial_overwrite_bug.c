/* Bytes of one number written one by one: a part that a path has overwritten, and the rest, matter together.

   expect: unsafe
   input: way=01 noise=00
*/
#include <assert.h>

#include "unfork.h"

static union {
  unsigned word;
  unsigned char bytes[4];
} number = {0x01010101};

int main(void) {
  char way, noise;
  unfork_symbolic(&way, sizeof way, "way");
  unfork_symbolic(&noise, sizeof noise, "noise");
  if (way)
    number.bytes[2] = 9;
  if (noise)
    noise = 1;
  assert(number.word < 0x01020000); /* BUG: assert */
  return 0;
}
