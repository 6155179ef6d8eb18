/* expect: unsafe
   native: asan
   input: i=1 */
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  int *cells[3];
  for (int k = 0; k < 3; k++) {
    cells[k] = malloc(sizeof(int));
    *cells[k] = k;
  }
  free(cells[1]);
  unsigned i;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_assume(i < 3);
  return *cells[i] == 9; /* BUG: use-after-free */
}
