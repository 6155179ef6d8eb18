/* The library calls the program: a fault there is at its line.
   expect: unsafe
   native: asan
   input: a=0,5 */
#include <stdlib.h>
#include "unfork.h"

static int compare(const void *a, const void *b) {
  return 10 / *(const int *)a - 10 / *(const int *)b; /* BUG: div-by-zero */
}

int main(void) {
  int a[2];
  unfork_symbolic(a, sizeof a, "a");
  unfork_assume(a[0] >= 0 && a[1] >= 1);
  qsort(a, 2, sizeof *a, compare);
  return 0;
}
