/* A vector load takes sixteen bytes where twelve are left.
   expect: unsafe
   native: asan -fno-sanitize=alignment */
#include <stdlib.h>

typedef int v4 __attribute__((vector_size(16), aligned(4)));

int main(void) {
  int *values = malloc(3 * sizeof(int));
  for (int i = 0; i < 3; i++) values[i] = i;
  v4 v = *(v4 *)values; /* BUG: out-of-bounds */
  free(values);
  return v[0] == 9;
}
