/* expect: safe
   native: asan */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_assume(n >= 1 && n <= 100);
  char *p = malloc(n);
  p[0] = 1;
  p[n - 1] = 2;
  p[n / 2] = 3;
  free(p);
  return 0;
}
