/* expect: unsafe
   paths: 2
   native: asan
   input: a=1 b=1 */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  assert((a | b) == a + b); /* BUG: assert */
  return 0;
}
