/* expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int x, cells[4] = {0};
  unfork_symbolic(&x, sizeof x, "x");
  unfork_index(x);
  unfork_cover(1);
  unfork_subsume(2);
  unfork_print(x);
  assert(cells[3] == 0);
  return 0;
}
