/* expect: unsafe
   native: asan */
#include <stdlib.h>

int main(void) {
  int *p = malloc(4 * sizeof *p);
  for (int i = 0; i <= 4; i++)
    p[i] = i; /* BUG: out-of-bounds */
  free(p);
  return 0;
}
