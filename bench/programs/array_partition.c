/* The partition of quicksort (Anand06, Figure 8). With BUG defined, the first inner loop lacks its check of bounds.

   expect: bounded
   paths: 5
   options: --function partition --prune subsume --abstract array --max-size 256 --search bfs --merge none --libc none
   native: none (no main)
*/
#include "unfork.h"

void partition(int *a, int n) {
  UNFORK_REQUIRES(n > 2);
  UNFORK_REQUIRES(unfork_length(a) == (size_t)n);
  int pivot = a[0];
  int lo = 1, hi = n - 1;
  while (lo <= hi) {
    unfork_subsume(1);
    unfork_index(lo);
    unfork_index(hi);
#ifdef BUG
    while (a[lo] <= pivot) {
#else
    while (lo <= hi && a[lo] <= pivot) {
#endif
      unfork_subsume(2);
      lo++;
    }
    while (a[hi] > pivot) {
      unfork_subsume(3);
      hi--;
    }
    if (lo < hi) {
      int tmp = a[hi];
      a[hi] = a[lo];
      a[lo] = tmp;
    }
  }
}
