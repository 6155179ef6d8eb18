/* expect: safe
   native: asan -fno-sanitize=alignment */
#include <assert.h>
#include <stdlib.h>

typedef int v4 __attribute__((vector_size(16), aligned(4)));

int main(void) {
  int *values = malloc(4 * sizeof(int));
  for (int i = 0; i < 4; i++) values[i] = i;
  v4 v = *(v4 *)values;
  free(values);
  assert(v[3] == 3);
  return 0;
}
