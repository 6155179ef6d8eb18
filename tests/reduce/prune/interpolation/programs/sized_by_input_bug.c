/* A block of symbolic size: which sizes a path allows is part of what it may do.

   expect: unsafe
   native: asan
   input: size=01000000 way=00 noise=00
*/
#include <stdlib.h>

#include "unfork.h"

int main(void) {
  unsigned size;
  char way, noise;
  unfork_symbolic(&size, sizeof size, "size");
  unfork_symbolic(&way, sizeof way, "way");
  unfork_symbolic(&noise, sizeof noise, "noise");
  unfork_assume(size >= 1 && size < 16);
  if (way)
    unfork_assume(size > 3);
  char *block = malloc(size);
  if (noise)
    noise = 1;
  block[3] = 1; /* BUG: out-of-bounds */
  free(block);
  return 0;
}
