/* A generator of numbers with a full period misses none.
   expect: safe
   options: --check nontermination
   native: asan */
#include "unfork.h"

int main(void) {
  unsigned char x;
  unfork_symbolic(&x, 1, "x");
  unfork_assume(x < 32);
  while (x != 7)
    x = (x * 5 + 3) % 32;
  return 0;
}
