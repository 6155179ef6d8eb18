/* The address of a block decides: blocks of another name are no substitute.

   expect: unsafe
   native: none (where blocks are is the engine's choice)
*/
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

#include "unfork.h"

int main(void) {
  char more, noise;
  unfork_symbolic(&more, sizeof more, "more");
  unfork_symbolic(&noise, sizeof noise, "noise");
  if (more)
    malloc(8);
  char *block = malloc(8);
  if (noise)
    noise = 2;
  assert(((uintptr_t)block >> 40) % 2 == 0); /* BUG: assert */
  return 0;
}
