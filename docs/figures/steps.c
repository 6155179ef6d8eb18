/* Two ways to count a step; what matters in the end is only that there were not too many. */
#include "unfork.h"

int main(void) {
  int x, y, z, steps = 0;

  unfork_symbolic(&x, sizeof x, "x");
  unfork_symbolic(&y, sizeof y, "y");
  unfork_symbolic(&z, sizeof z, "z");
  if (x > 0)
    steps += 1;
  else
    steps += 2;
  if (y > 0)
    steps += 1;
  else
    steps += 2;
  if (z > 0)
    steps += 1;
  else
    steps += 2;
  unfork_check(steps <= 6);
  return 0;
}
