/* expect: safe
   native: asan */
#include "unfork.h"

int main(void) {
  int a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  unfork_assume(a >= 0 && a < 100 && b >= 0 && b < 100);
  if (a == b) return 0;
  return 7 % (a - b) == 8;
}
