/* The state after one turn stands for fewer numbers than the one before.
   expect: safe */
#include "unfork.h"

int main(void) {
  unsigned x, y = 0;
  unfork_symbolic(&x, sizeof x, "x");
  while (x != 0) {
    x = x / 2;
    y = y ^ 1;
    unfork_check(y < 2);
  }
  return y > 1u << 31;
}
