/* A pointer loaded at a symbolic index names any of four objects.
   expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int a = 10, b = 20, c = 30, d = 40;
  int *cells[4] = {&a, &b, &c, &d};
  unsigned i;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_assume(i < 4);
  *cells[i] += 1;
  assert(a + b + c + d == 101);
  assert(*cells[i] == (int)(i + 1) * 10 + 1);
  return 0;
}
