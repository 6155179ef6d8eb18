/* Two numbers meet, as their distance changes by three.
   expect: safe
   options: --check nontermination
   native: asan */
#include "unfork.h"

int main(void) {
  unsigned char x, y;
  unfork_symbolic(&x, 1, "x");
  unfork_symbolic(&y, 1, "y");
  while (x != y) {
    x += 2;
    y--;
  }
  return 0;
}
