/* A size beyond the capacity is not explored, and the verdict says so.
   expect: unknown capacity
   native: none (native memory has no such capacity) */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_assume(n >= 1 && n <= 100000);
  char *p = malloc(n);
  p[0] = 1;
  free(p);
  return 0;
}
