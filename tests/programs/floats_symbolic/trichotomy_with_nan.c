/* expect: safe
   paths: 4
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  double a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  if (a < b)
    assert(b > a);
  else if (a > b)
    assert(b < a);
  else if (a == b)
    assert(b == a);
  else
    assert(__builtin_isunordered(a, b));
  return 0;
}
