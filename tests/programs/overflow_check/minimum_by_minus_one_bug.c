/* INT_MIN / -1 is an overflow that is always checked.
   expect: unsafe
   native: asan
   input: a=-2147483648 b=-1 */
#include "unfork.h"

int main(void) {
  int a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  if (b == 0) return 0;
  int q = a / b; /* BUG: overflow */
  return q == 12345 ? 0 : 0;
}
