/* expect: unsafe
   native: none (the stand-in writes to the block unseen) */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  char *p = malloc(4);
  free(p);
  unfork_symbolic(p, 4, "late"); /* BUG: use-after-free */
  return 0;
}
