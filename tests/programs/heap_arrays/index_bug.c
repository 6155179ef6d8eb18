/* An index that is checked on one side only; whoever states a length is held to it.
   expect: unsafe
   options: --function at --max-size 64
   native: none (a function that is run alone) */
#include "unfork.h"

int at(const short *a, int n, int i) {
  UNFORK_REQUIRES(n >= 0 && unfork_length(a) == (size_t)n);
  if (i >= n) return -1;
  return a[i]; /* BUG: out-of-bounds */
}
