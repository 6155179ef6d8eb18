/* Steps of two pass an odd number by, from every even one.
   expect: unsafe
   options: --check nontermination
   native: none (it does not end) */
#include "unfork.h"

int main(void) {
  unsigned char x;
  unfork_symbolic(&x, 1, "x");
  while (x != 7) /* BUG: nontermination */
    x += 2;
  return 0;
}
