/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  int *p = malloc(2 * sizeof *p);
  p[0] = x;
  p[1] = 7;
  p = realloc(p, 5 * sizeof *p);
  p[4] = 9;
  assert(p[0] == x);
  assert(p[1] == 7 && p[4] == 9);
  p = realloc(p, sizeof *p);
  assert(p[0] == x);
  free(p);
  return 0;
}
