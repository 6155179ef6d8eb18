/* expect: safe
   paths: 2
   native: clang */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x >= 0);
  __builtin_assume(x >= 0);
  int y = 1;
  if (__builtin_expect(x == 7, 0)) y = 2;
  assert(__builtin_expect_with_probability(y, 1, 0.9) == (x == 7 ? 2 : 1));
  return 0;
}
