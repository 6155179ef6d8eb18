/* A bit comes to the top.
   expect: safe
   options: --check nontermination
   native: asan */
#include "unfork.h"

int main(void) {
  unsigned char x;
  unfork_symbolic(&x, 1, "x");
  if (x == 0) return 0;
  while (x < 128)
    x = x << 1 | x >> 7;
  return 0;
}
