/* expect: unsafe
   native: none (gcc has no check for uninitialised reads) */
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(2 * sizeof *p);
  p[0] = 1;
  assert(p[0] == 1);
  assert(p[1] != 12345); /* BUG: assert */
  free(p);
  return 0;
}
