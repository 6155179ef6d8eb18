/* expect: safe
   native: asan */
#include <limits.h>
#include "unfork.h"

int main(void) {
  int a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  if (b == 0 || (a == INT_MIN && b == -1)) return 0;
  int q = a / b;
  return q == 12345 ? 0 : 0;
}
