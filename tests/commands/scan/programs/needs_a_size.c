/* The C library frees the block if the size is zero; whether it is, this code never asks.
   scan: conditional double-free 8 */
#include <stdlib.h>

int resize(char **block, unsigned short n) {
  char *moved = realloc(*block, n);
  if (moved == NULL) {
    free(*block);
    return -1;
  }
  *block = moved;
  return n;
}
