/* A block that one path has freed and the other has not, at the same address and with the same contents.

   expect: unsafe
   native: asan
   input: early=01 noise=00
   input: early=00 noise=01
*/
#include <assert.h>
#include <stdlib.h>

#include "unfork.h"

int main(void) {
  char early, noise;
  unfork_symbolic(&early, sizeof early, "early");
  unfork_symbolic(&noise, sizeof noise, "noise");
  char *block = malloc(4);
  block[0] = 1;
  if (early)
    free(block);
  if (noise)
    noise = 3;
  block[0] = 2; /* BUG: use-after-free */
  assert(noise != 3); /* BUG: assert */
  free(block);
  return 0;
}
