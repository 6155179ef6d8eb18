/* Steps of two come to an odd number, from every odd one.
   expect: safe
   options: --check nontermination
   native: asan */
#include "unfork.h"

int main(void) {
  unsigned char x;
  unfork_symbolic(&x, 1, "x");
  x |= 1;
  while (x != 7)
    x += 2;
  return 0;
}
