/* The old block is used after it was moved.
   scan: certain use-after-free 14 */
#include <stdlib.h>

int doubled(int n) {
  int sum, *small = malloc(2 * sizeof *small), *large;
  if (small == NULL) return -1;
  small[0] = small[1] = n;
  large = realloc(small, 64 * sizeof *large);
  if (large == NULL) {
    free(small);
    return -1;
  }
  sum = small[1] + large[0];
  free(large);
  return sum;
}
