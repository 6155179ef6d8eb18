/* The answer is read out of the block that was just freed.
   scan: certain use-after-free 12 */
#include <stdlib.h>

int third(int a, int b, int c) {
  int result, *all = malloc(3 * sizeof *all);
  if (all == NULL) return 0;
  all[0] = a;
  all[1] = b;
  all[2] = c;
  free(all);
  result = all[2];
  return result;
}
