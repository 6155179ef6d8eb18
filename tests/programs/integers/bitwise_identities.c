/* expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  assert((a ^ b) == ((a | b) & ~(a & b)));
  assert((a & b) + (a | b) == a + b);
  assert(~a == -a - 1);
  assert(((a ^ b) ^ b) == a);
  assert((a & (a - 1)) != a || a == 0);
  return 0;
}
