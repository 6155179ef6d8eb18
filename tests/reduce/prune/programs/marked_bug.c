/* States are compared at the mark only, once per turn.
   expect: unsafe
   input: x=64 x=1073741876 x=1073741876 x=1073741876 x=64 */
#include "unfork.h"

int main(void) {
  int sum = 0;
  for (int i = 0; i < 5; i++) {
    int x;
    unfork_symbolic(&x, sizeof x, "x");
    unfork_subsume(1);
    if (x > 100)
      sum += 2;
    else if (x > 0)
      sum += 2;
    else
      sum += 1;
  }
  unfork_check(sum != 10); /* BUG: assert */
  return sum;
}
