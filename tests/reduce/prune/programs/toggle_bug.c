/* expect: unsafe
   input: x=0 x=0 x=0 x=0 x=0 x=77 */
#include "unfork.h"

int main(void) {
  int odd = 0, seen = 0;
  for (int i = 0; i < 6; i++) {
    int x;
    unfork_symbolic(&x, sizeof x, "x");
    if (x > 10)
      odd ^= 1;
    if (x == 77 && i == 5)
      seen = 1;
  }
  unfork_check(!(seen && odd)); /* BUG: assert */
  return odd;
}
