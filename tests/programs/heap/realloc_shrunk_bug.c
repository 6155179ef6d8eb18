/* expect: unsafe
   native: asan
   input: n=2 */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_assume(n >= 1 && n <= 4);
  char *p = calloc(4, 1);
  p = realloc(p, n);
  p[2] = 1; /* BUG: out-of-bounds */
  free(p);
  return 0;
}
