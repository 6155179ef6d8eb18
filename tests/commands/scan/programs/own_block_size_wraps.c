/* The number of bytes is computed in 32 bits and wraps.
   scan: likely out-of-bounds 8 */
#include <stdlib.h>

unsigned long *table(unsigned n) {
  unsigned long *entries = malloc(n * (unsigned)sizeof *entries);
  if (entries == NULL || n == 0) return entries;
  entries[n - 1] = 0;
  return entries;
}
