/* llvm.smax, umin and abs come from clang's elementwise builtins.
   expect: safe
   native: clang */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  int high = __builtin_elementwise_max(a, b), low = __builtin_elementwise_min(a, b);
  assert(high >= low);
  assert((long)high + low == (long)a + b);
  assert(__builtin_elementwise_min(3u, 4000000000u) == 3);
  unfork_assume(a > -1000);
  unfork_assume(a < 1000);
  assert(__builtin_abs(a) == __builtin_elementwise_max(a, -a));
  return 0;
}
