/* What comes after a character was written to a caller's file.
   scan: certain div-by-zero 8 */
#include <stdio.h>

int put(FILE *file, int n) {
  if (!file || n < 3 || fputc('x', file) < 0)
    return 0;
  return 1 / (n - 3);
}
