/* An index beyond a block, through pointers in memory, does not reach the next one.
   expect: unsafe
   options: --data-model ILP32
   native: none (for 32 bits) */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  unsigned i;
  unfork_symbolic(&i, sizeof i, "i");
  if (i > 6000) return 0;
  char *blocks[2] = {malloc(5000), malloc(5000)};
  if (!blocks[0] || !blocks[1]) return 0;
  blocks[0][i] = 1; /* BUG: out-of-bounds */
  free(blocks[0]);
  free(blocks[1]);
  return 0;
}
