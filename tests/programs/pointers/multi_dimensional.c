/* expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

static int cube[3][4][5];

int main(void) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < 5; k++) cube[i][j][k] = 100 * i + 10 * j + k;
  unsigned i, j;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_symbolic(&j, sizeof j, "j");
  unfork_assume(i < 3 && j < 4);
  assert(cube[i][j][2] == (int)(100 * i + 10 * j + 2));
  int(*plane)[5] = cube[2];
  assert(plane[3][4] == 234 && (*(plane + 1))[1] == 211);
  return 0;
}
