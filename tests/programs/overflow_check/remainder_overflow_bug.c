/* expect: unsafe
   native: asan
   input: a=hex:0000000000000080 b=-1 */
#include "unfork.h"

int main(void) {
  long a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  if (b >= 0) return 0;
  long r = a % b; /* BUG: overflow */
  return r > 0 ? 0 : 0;
}
