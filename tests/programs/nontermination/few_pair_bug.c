/* Two numbers that approach each other in steps of four in all pass each other by.
   expect: unsafe
   options: --check nontermination
   native: none (it does not end) */
#include "unfork.h"

int main(void) {
  unsigned char x, y;
  unfork_symbolic(&x, 1, "x");
  unfork_symbolic(&y, 1, "y");
  while (x != y) { /* BUG: nontermination */
    x += 2;
    y -= 2;
  }
  return 0;
}
