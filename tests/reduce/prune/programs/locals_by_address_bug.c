/* Locals whose addresses are kept: those of each turn's call have names of their own.
   expect: unsafe
   input: x=1 x=1 x=2 */
#include "unfork.h"

struct link {
  int value;
  struct link *outer;
};

static int depth_of(struct link *outer, int left) {
  unsigned char x;
  struct link here = {0, outer};
  unfork_symbolic(&x, 1, "x");
  if (x & 1)
    here.value = 1;
  else if (x & 2)
    here.value = 1;
  if (left > 0)
    return depth_of(&here, left - 1);
  int sum = 0;
  for (struct link *at = &here; at; at = at->outer)
    sum += at->value;
  unfork_check(sum < 3); /* BUG: assert */
  return sum;
}

int main(void) { return depth_of(0, 2); }
