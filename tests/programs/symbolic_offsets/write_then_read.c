/* expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int cells[6] = {0};
  unsigned i, j;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_symbolic(&j, sizeof j, "j");
  unfork_assume(i < 6);
  unfork_assume(j < 6);
  cells[i] = 5;
  assert(cells[i] == 5);
  assert(cells[j] == (i == j ? 5 : 0));
  int sum = 0;
  for (int k = 0; k < 6; k++) sum += cells[k];
  assert(sum == 5);
  return 0;
}
