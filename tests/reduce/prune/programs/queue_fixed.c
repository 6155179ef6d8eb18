/* A ring buffer whose contents are known only by their range.
   expect: safe
   native: none (it never ends) */
#include "unfork.h"

int main(void) {
  unsigned char ring[2] = {0, 0};
  unsigned head = 0, used = 0;
  for (;;) {
    unsigned char x;
    unfork_symbolic(&x, 1, "x");
    if (x < 100 && used < 2) {
      ring[(head + used) & 1] = x;
      used++;
    } else if (used > 0) {
      unfork_check(ring[head] < 100);
      head ^= 1;
      used--;
    }
  }
}
