/* Paths part 3 ways in each turn, and meet again in one bit.
   expect: safe */
#include "unfork.h"

int main(void) {
  int odd = 0;
  for (int i = 0; i < 6; i++) {
    int x;
    unfork_symbolic(&x, sizeof x, "x");
    if (x > 10)
      odd ^= 1;
    if (x == 77)
      odd ^= 1;
  }
  unfork_check(odd < 2);
  return odd > 1;
}
