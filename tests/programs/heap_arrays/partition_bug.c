/* Anand06, Fig. 8: an array is parted by its first element. Nothing stops lo at the end of the array.
   expect: unsafe
   options: --function partition --max-size 20
   native: none (a function that is run alone) */
#include "unfork.h"

void partition(int *a, int n) {
  UNFORK_REQUIRES(n > 2 && unfork_length(a) == (size_t)n);
  int pivot = a[0], lo = 1, hi = n - 1;
  while (lo <= hi) {
    while (a[lo] <= pivot) /* BUG: out-of-bounds */
      lo++;
    while (a[hi] > pivot)
      hi--;
    if (lo < hi) {
      int tmp = a[hi];
      a[hi] = a[lo];
      a[lo] = tmp;
    }
  }
}
