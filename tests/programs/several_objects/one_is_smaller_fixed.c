/* expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  static int a[4], b[4], c[3];
  int *rows[3] = {a, b, c};
  unsigned i, j;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_symbolic(&j, sizeof j, "j");
  unfork_assume(i < 3 && j < (i == 2 ? 3 : 4));
  rows[i][j] = 1;
  assert(rows[i][j] == 1);
  return 0;
}
