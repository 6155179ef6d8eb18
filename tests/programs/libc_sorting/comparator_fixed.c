/* No fault where nothing is zero.
   expect: safe
   native: asan */
#include <stdlib.h>
#include "unfork.h"

static int compare(const void *a, const void *b) {
  return 10 / *(const int *)a - 10 / *(const int *)b;
}

int main(void) {
  int a[2];
  unfork_symbolic(a, sizeof a, "a");
  unfork_assume(a[0] >= 1 && a[1] >= 1);
  qsort(a, 2, sizeof *a, compare);
  return 0;
}
