/* expect: unsafe
   native: asan
   input: i=1 j=0
   input: i=0 j=5 */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  unsigned i, j;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_symbolic(&j, sizeof j, "j");
  unfork_assume(i <= 1 && j <= 5);
  char *p = calloc(5, 1);
  if (i == 1) free(p);
  p[0] = 1; /* BUG: use-after-free */
  p[j] = 2; /* BUG: out-of-bounds */
  free(p);
  return 0;
}
