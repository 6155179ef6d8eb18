/* expect: safe
   native: asan */
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
  assert(*p == (p == q ? 2 : 1));
  return 0;
}
