/* A generator of numbers with a full period misses none.
   expect: safe
   options: --check nontermination
   native: asan */
#include "unfork.h"

int main(void) {
  unsigned char x;
  unfork_symbolic(&x, 1, "x");
  while (x != 7)
    x = x * 5 + 3;
  return 0;
}
