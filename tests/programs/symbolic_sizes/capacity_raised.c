/* expect: safe
   options: --max-size 8192
   native: asan */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_assume(n >= 1 && n <= 8192);
  char *p = malloc(n);
  p[n - 1] = 1;
  free(p);
  return 0;
}
