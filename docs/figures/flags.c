/* Three choices: eight paths, or one state that stands for them. */
#include "unfork.h"

int main(void) {
  int flags, cost = 0;

  unfork_symbolic(&flags, sizeof flags, "flags");
  if (flags & 1)
    cost += 1;
  if (flags & 2)
    cost += 2;
  if (flags & 4)
    cost += 4;
  unfork_check(cost <= 7);
  return 0;
}
