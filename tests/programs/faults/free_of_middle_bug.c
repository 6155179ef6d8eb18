/* expect: unsafe
   native: asan
   input: skip=1 */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  unsigned skip;
  unfork_symbolic(&skip, sizeof skip, "skip");
  char *p = calloc(4, 1);
  p += skip & 1;
  free(p); /* BUG: invalid-free */
  return 0;
}
