/* expect: safe
   native: asan */
#include <assert.h>
#include <stddef.h>
#include "unfork.h"

int main(void) {
  long values[8];
  unsigned i, j;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_symbolic(&j, sizeof j, "j");
  unfork_assume(i <= 8 && j <= 8);
  long *p = values + i, *q = values + j;
  ptrdiff_t d = q - p;
  assert(d == (ptrdiff_t)j - (ptrdiff_t)i);
  assert((p < q) == (i < j));
  assert((p == q) == (i == j));
  return 0;
}
