/* expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int cells[8] = {0};
  unsigned i, j;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_symbolic(&j, sizeof j, "j");
  unfork_assume(i < 8);
  unfork_assume(j < 8);
  unfork_assume(i != j);
  cells[i] = 1;
  cells[j] = 2;
  assert(cells[i] == 1);
  return 0;
}
