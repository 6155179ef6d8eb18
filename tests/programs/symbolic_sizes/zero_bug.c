/* Nothing can be written to an allocation of zero bytes.
   expect: unsafe
   native: none (the sanitizer makes it one byte)
   input: n=0 */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_assume(n <= 10);
  char *p = malloc(n);
  p[0] = 1; /* BUG: out-of-bounds */
  free(p);
  return 0;
}
