/* expect: safe
   paths: 6
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned n, sum = 0;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_assume(n <= 5);
  for (unsigned i = 1; i <= n; i++) sum += i;
  assert(sum == n * (n + 1) / 2);
  return 0;
}
