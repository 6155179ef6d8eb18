/* The third array is shorter than the others.
   expect: unsafe
   native: asan
   input: i=2 j=3 */
#include "unfork.h"

int main(void) {
  static int a[4], b[4], c[3];
  int *rows[3] = {a, b, c};
  unsigned i, j;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_symbolic(&j, sizeof j, "j");
  unfork_assume(i < 3 && j < 4);
  rows[i][j] = 1; /* BUG: out-of-bounds */
  return 0;
}
