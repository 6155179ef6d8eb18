/* Two numbers meet, as their distance changes by three.
   expect: safe
   options: --check nontermination
   native: asan */
#include "unfork.h"

int main(void) {
  unsigned char x, y;
  unfork_symbolic(&x, 1, "x");
  unfork_symbolic(&y, 1, "y");
  unfork_assume(x < 64 & y < 64);
  while (x != y) {
    x = (x + 2) % 64;
    y = (y - 1u) % 64;
  }
  return 0;
}
