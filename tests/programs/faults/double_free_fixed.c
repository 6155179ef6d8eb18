/* expect: safe
   paths: 2
   native: asan */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  char *p = malloc(8);
  if (x > 0) {
    free(p);
    p = 0;
  }
  free(p);
  return 0;
}
