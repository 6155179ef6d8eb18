/* Sixteen targets at once.
   expect: safe
   native: asan */
#include <assert.h>
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  int *cells[16];
  for (int k = 0; k < 16; k++) {
    cells[k] = malloc(sizeof(int));
    *cells[k] = k * k;
  }
  unsigned i;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_assume(i < 16);
  assert(*cells[i] == (int)(i * i));
  *cells[i] = -1;
  int negatives = 0;
  for (int k = 0; k < 16; k++) {
    negatives += *cells[k] < 0;
    free(cells[k]);
  }
  assert(negatives == 1);
  return 0;
}
