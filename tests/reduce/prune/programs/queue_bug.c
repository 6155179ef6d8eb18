/* expect: unsafe
   input: x=0 x=99 x=100 x=100 */
#include "unfork.h"

int main(void) {
  unsigned char ring[2] = {0, 0};
  unsigned head = 0, used = 0;
  for (;;) {
    unsigned char x;
    unfork_symbolic(&x, 1, "x");
    if (x < 100 && used < 2) {
      ring[(head + used) & 1] = x + (used == 1 && x == 99);
      used++;
    } else if (used > 0) {
      unfork_check(ring[head] < 100); /* BUG: assert */
      head ^= 1;
      used--;
    }
  }
}
