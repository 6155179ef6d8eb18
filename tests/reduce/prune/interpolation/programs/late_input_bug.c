/* A local array is indexed by an input that is made where other states are already covered.
   expect: unsafe
   input: c=2 x=0
*/
#include "unfork.h"

static unsigned char late(void) {
  unsigned char x;
  unfork_symbolic(&x, 1, "x");
  return x;
}

int main(void) {
  unsigned char a[2] = {2, 2}, c;
  int h = 0;
  unfork_symbolic(&c, 1, "c");
  if (c == 0)
    h = 1;
  else if (c == 2)
    h = 2;
  unfork_check(h + a[late() & 1] != 4); /* BUG: assert */
  return 0;
}
