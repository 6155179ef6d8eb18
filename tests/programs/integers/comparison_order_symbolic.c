/* Every pair of ints is in exactly one of three orders.
   expect: safe
   paths: 3
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int a, b;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  int order;
  if (a < b)
    order = -1;
  else if (a > b)
    order = 1;
  else
    order = 0;
  assert((order == 0) == (a == b));
  assert(order >= 0 || b > a);
  assert((order == 1) == (b < a));
  return 0;
}
