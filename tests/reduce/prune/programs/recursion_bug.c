/* Calls of a function by itself, which differ in what they will come back to.
   expect: unsafe
   input: bit=1 bit=1 bit=2 bit=1 */
#include "unfork.h"

static int count(int depth) {
  unsigned char bit;
  if (depth == 0)
    return 0;
  unfork_symbolic(&bit, 1, "bit");
  int here = 0;
  if (bit & 1)
    here = 1;
  else if (bit & 2)
    here = 1;
  return count(depth - 1) + here;
}

int main(void) {
  unfork_check(count(4) < 4); /* BUG: assert */
  return 0;
}
