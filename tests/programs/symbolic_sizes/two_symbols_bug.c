/* expect: unsafe
   native: asan
   input: n=4 i=5 */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  unsigned n, i;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_symbolic(&i, sizeof i, "i");
  unfork_assume(n >= 1 && n <= 8);
  unfork_assume(i <= 2 * n);
  int *p = calloc(n, sizeof *p);
  p[i] = 1; /* BUG: out-of-bounds */
  free(p);
  return 0;
}
