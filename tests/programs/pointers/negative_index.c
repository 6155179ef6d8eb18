/* expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int values[7] = {-3, -2, -1, 0, 1, 2, 3};
  const int *middle = &values[3];
  int i;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_assume(i >= -3 && i <= 3);
  assert(middle[i] == i);
  assert(*(middle - i) == -i);
  return 0;
}
