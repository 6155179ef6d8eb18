/* The same mistake on two lines is two errors.
   expect: unsafe
   native: asan
   input: i=4 x=1
   input: i=4 x=0 */
#include "unfork.h"

int main(void) {
  int v[4] = {0}, x;
  unsigned i;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(i <= 4);
  if (x)
    v[i] = 1; /* BUG: out-of-bounds */
  else
    v[i] = 2; /* BUG: out-of-bounds */
  return v[0] == 7;
}
