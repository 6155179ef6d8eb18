/* expect: safe
   paths: 1
   native: asan */
#include <stdlib.h>

int main(void) {
  int *p = malloc(2 * sizeof *p);
  p[0] = 1;
  p = realloc(p, 100 * sizeof *p);
  int x = p[0];
  free(p);
  return x == 3;
}
