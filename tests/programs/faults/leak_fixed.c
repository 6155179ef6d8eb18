/* expect: safe
   options: --check leak
   native: asan */
#include <stdlib.h>
#include "unfork.h"

static int work(int x) {
  char *p = malloc(32);
  p[0] = 1;
  if (x == 2) {
    free(p);
    return 1;
  }
  free(p);
  return 0;
}

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  return work(x) ? 0 : 0;
}
