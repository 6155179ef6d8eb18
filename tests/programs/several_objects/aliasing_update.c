/* Two pointers may be the same.
   expect: unsafe
   native: asan
   input: i=1 j=1 */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int a = 0, b = 0, c = 0;
  int *cells[3] = {&a, &b, &c};
  unsigned i, j;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_symbolic(&j, sizeof j, "j");
  unfork_assume(i < 3 && j < 3);
  int *p = cells[i], *q = cells[j];
  *p = 1;
  *q = 2;
  assert(*p == 1); /* BUG: assert */
  return 0;
}
