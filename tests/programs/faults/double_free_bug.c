/* expect: unsafe
   native: asan
   input: x=1 */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  char *p = malloc(8);
  if (x > 0) free(p);
  free(p); /* BUG: double-free */
  return 0;
}
