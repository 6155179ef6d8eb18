/* expect: safe
   native: asan */
#include <assert.h>
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  unsigned n, i;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_symbolic(&i, sizeof i, "i");
  unfork_assume(n >= 1 && n <= 8);
  unfork_assume(i < n);
  int *p = calloc(n, sizeof *p);
  p[i] = 1;
  assert(p[i] == 1);
  assert(p[0] == (i == 0));
  free(p);
  return 0;
}
