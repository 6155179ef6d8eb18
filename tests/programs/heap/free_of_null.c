/* expect: safe
   paths: 2
   native: asan */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  char *p = 0;
  if (x) p = malloc(3);
  free(p);
  return 0;
}
