/* expect: unsafe
   native: asan
   input: n=2 i=2 */
#include "unfork.h"

int main(void) {
  int n, i;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_symbolic(&i, sizeof i, "i");
  unfork_assume(n >= 1 && n <= 3 && i >= 0 && i <= n);
  int values[n];
  values[i] = 7; /* BUG: out-of-bounds */
  return 0;
}
