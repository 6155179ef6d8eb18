/* expect: unsafe
   native: asan
   input: n=5 */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_assume(n >= 1 && n <= 100);
  char *p = malloc(n);
  p[n] = 0; /* BUG: out-of-bounds */
  free(p);
  return 0;
}
