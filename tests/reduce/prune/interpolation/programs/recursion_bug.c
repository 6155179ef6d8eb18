/* What was learnt at one depth of a recursion says nothing about another depth.

   expect: unsafe
   input: bits=01010101
*/
#include <assert.h>

#include "unfork.h"

static int descend(const char *bits, int depth, int sum) {
  if (depth == 4) {
    assert(sum < 4); /* BUG: assert */
    return sum;
  }
  if (bits[depth] == 1)
    return descend(bits, depth + 1, sum + 1);
  return descend(bits, depth + 1, sum);
}

int main(void) {
  char bits[4];
  unfork_symbolic(bits, sizeof bits, "bits");
  return descend(bits, 0, 0) == 4;
}
