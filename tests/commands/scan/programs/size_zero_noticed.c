/* The size may be zero, which the code knows: then the block is free already.
   scan: certain double-free 10 */
#include <stdio.h>
#include <stdlib.h>

int resize(char **block, unsigned short n) {
  if (n == 0) puts("nothing is left");
  char *moved = realloc(*block, n);
  if (moved == NULL) {
    free(*block);
    return -1;
  }
  *block = moved;
  return n;
}
