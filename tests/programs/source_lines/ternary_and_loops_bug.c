/* expect: unsafe
   native: asan
   input: n=3 */
#include "unfork.h"

int main(void) {
  int v[3] = {1, 2, 3};
  int n, sum = 0;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_assume(n >= 0 && n <= 3);
  for (int i = n;
       i >= 0;
       i--)
    sum += i > 0
               ? 1
               : v[n]; /* BUG: out-of-bounds */
  return sum == 100;
}
