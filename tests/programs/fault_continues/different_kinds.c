/* expect: unsafe
   native: asan
   input: d=0 i=0 p=1
   input: d=1 i=4 p=1
   input: d=1 i=0 p=0 */
#include "unfork.h"

int main(void) {
  static int v[4];
  unsigned d, i, p;
  unfork_symbolic(&d, sizeof d, "d");
  unfork_symbolic(&i, sizeof i, "i");
  unfork_symbolic(&p, sizeof p, "p");
  unfork_assume(i <= 4);
  int r = (int)(10 / d); /* BUG: div-by-zero */
  v[i] = r; /* BUG: out-of-bounds */
  int *q = p ? v : 0;
  return *q == 99; /* BUG: null-dereference */
}
