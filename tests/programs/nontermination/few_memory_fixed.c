/* What steers the loop lies in memory.
   expect: safe
   options: --check nontermination
   native: asan */
#include "unfork.h"

static unsigned char state[4];
static void step(int by) { state[1] += by; }


int main(void) {
  unsigned char x;
  unfork_symbolic(&x, 1, "x");
  state[1] = x;
  while (state[1] != 7)
    step(x | 1);
  return 0;
}
