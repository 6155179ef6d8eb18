/* Nothing in the loop changes what it asks; one of the paths leaves.
   expect: unsafe
   paths: 2
   options: --check nontermination
   native: none (it does not end) */
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  while (x > 3) { /* BUG: nontermination */
  }
  return 0;
}
