/* A block that one path has freed and the other has not, at the same address and with the same contents.

   expect: unsafe
   native: asan
   input: late=00 noise=00
   input: late=01 noise=01
*/
#include <assert.h>
#include <stdlib.h>

#include "unfork.h"

int main(void) {
  char late, noise;
  unfork_symbolic(&late, sizeof late, "late");
  unfork_symbolic(&noise, sizeof noise, "noise");
  char *block = malloc(4);
  block[0] = 1;
  if (!late)
    free(block);
  if (noise)
    noise = 3;
  block[0] = 2; /* BUG: use-after-free */
  assert(noise != 3); /* BUG: assert */
  free(block);
  return 0;
}
