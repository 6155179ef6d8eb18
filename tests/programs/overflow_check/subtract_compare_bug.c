/* A comparator by subtraction.
   expect: unsafe
   options: --check overflow
   native: asan
   input: a=-2147483648 b=1 */
#include "unfork.h"

static int compare(int a, int b) {
  return a - b; /* BUG: overflow */
}

int main(void) {
  int a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  return compare(a, b) > 0 ? 0 : 0;
}
