/* expect: safe
   native: asan */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  int *p = malloc(sizeof *p);
  *p = x;
  int y = *p;
  if (x == 3) free(p);
  if (x != 3) free(p);
  return y == 3 && x != 3;
}
