/* expect: safe
   native: asan */
#include <assert.h>
#include <stdlib.h>
#include "unfork.h"

static int compare(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

int main(void) {
  int a[3];
  unfork_symbolic(a, sizeof a, "a");
  qsort(a, 3, sizeof *a, compare);
  assert(a[0] <= a[1] && a[1] <= a[2]);
  int *found = bsearch(&a[1], a, 3, sizeof *a, compare);
  assert(found && *found == a[1]);
  int big[50];
  for (int i = 0; i < 50; i++) big[i] = (i * 37) % 50;
  qsort(big, 50, sizeof *big, compare);
  for (int i = 0; i < 50; i++) assert(big[i] == i);
  return 0;
}
