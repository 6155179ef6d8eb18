/* 0 has no bit that could come to the top.
   expect: unsafe
   options: --check nontermination
   native: none (it does not end) */
#include "unfork.h"

int main(void) {
  unsigned char x;
  unfork_symbolic(&x, 1, "x");
  while (x < 128) /* BUG: nontermination */
    x = x << 1 | x >> 7;
  return 0;
}
