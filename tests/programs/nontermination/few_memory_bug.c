/* What steers the loop lies in memory.
   expect: unsafe
   options: --check nontermination
   native: none (it does not end) */
#include "unfork.h"

static unsigned char state[4];
static void step(int by) { state[1] += by; }


int main(void) {
  unsigned char x;
  unfork_symbolic(&x, 1, "x");
  state[1] = x;
  while (state[1] != 7) /* BUG: nontermination */
    step(x & 4);
  return 0;
}
