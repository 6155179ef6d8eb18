/* The caller's function only answers; the block is the function's own.
   scan: certain leak 7 */
#include <stdlib.h>

int ask_with_block(int (*ask)(int number)) {
  if (!ask) return -1;
  char *block = malloc(8);
  if (ask(1) > 3) return -1;
  free(block);
  return 0;
}
