/* What steers the loop lies in memory.
   expect: safe
   options: --check nontermination
   native: asan */
#include "unfork.h"

static unsigned char state[4];
static void step(int by) { state[1] = (state[1] + by) % 64; }


int main(void) {
  unsigned char x;
  unfork_symbolic(&x, 1, "x");
  unfork_assume(x < 64);
  state[1] = x;
  while (state[1] != 7)
    step(x | 1);
  return 0;
}
