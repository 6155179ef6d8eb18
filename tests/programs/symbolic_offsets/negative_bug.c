/* The upper bound is checked, the sign is not.
   expect: unsafe
   native: asan
   input: i=-1 */
#include "unfork.h"

int main(void) {
  int values[4] = {1, 2, 3, 4};
  int i;
  unfork_symbolic(&i, sizeof i, "i");
  if (i >= 4) return 0;
  return values[i] == 9; /* BUG: out-of-bounds */
}
