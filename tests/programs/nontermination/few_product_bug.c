/* A generator of numbers whose period is short misses some.
   expect: unsafe
   options: --check nontermination
   native: none (it does not end) */
#include "unfork.h"

int main(void) {
  unsigned char x;
  unfork_symbolic(&x, 1, "x");
  unfork_assume(x < 32);
  while (x != 8) /* BUG: nontermination */
    x = (x * 5 + 2) % 32;
  return 0;
}
