/* expect: unsafe
   native: asan
   input: x=3 */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  int *p = malloc(sizeof *p);
  *p = x;
  if (x == 3) free(p);
  int y = *p; /* BUG: use-after-free */
  if (x != 3) free(p);
  return y == 3;
}
