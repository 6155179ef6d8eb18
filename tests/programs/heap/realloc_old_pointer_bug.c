/* A growing realloc moves the block.
   expect: unsafe
   native: asan */
#include <stdlib.h>

int main(void) {
  int *p = malloc(2 * sizeof *p);
  p[0] = 1;
  int *volatile old = p;
  p = realloc(p, 100 * sizeof *p);
  p[0] = 2;
  int x = *old; /* BUG: use-after-free */
  free(p);
  return x == 3;
}
