/* A single byte of an address decides: blocks of another name are no substitute.

   expect: unsafe
   native: none (where blocks are is the engine's choice)
*/
#include <assert.h>
#include <stdlib.h>

#include "unfork.h"

static volatile int seen;

int main(void) {
  unsigned char more, noise;
  unfork_symbolic(&more, sizeof more, "more");
  unfork_symbolic(&noise, sizeof noise, "noise");
  if (more > 5)
    malloc(8);
  char *block = malloc(8);
  if (noise & 1)
    seen = 1;
  if (noise & 2)
    seen = 2;
  const unsigned char *bytes = (const unsigned char *)&block;
  assert(bytes[1] & 64); /* BUG: assert */
  return 0;
}
