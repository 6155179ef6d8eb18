/* Two symbolic writes may hit the same cell.
   expect: unsafe
   native: asan
   input: i=3 j=3 */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int cells[8] = {0};
  unsigned i, j;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_symbolic(&j, sizeof j, "j");
  unfork_assume(i < 8);
  unfork_assume(j < 8);
  cells[i] = 1;
  cells[j] = 2;
  assert(cells[i] == 1); /* BUG: assert */
  return 0;
}
