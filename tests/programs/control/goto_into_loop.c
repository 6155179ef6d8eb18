/* An irreducible loop.
   expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int x, n = 0;
  unfork_symbolic(&x, sizeof x, "x");
  if (x > 0) goto second;
first:
  n += 1;
second:
  n += 10;
  if (n < 30) goto first;
  assert(n == (x > 0 ? 32 : 33));
  return 0;
}
