/* expect: unsafe
   native: asan
   input: i=0 */
#include "unfork.h"

static int values[8] = {1, 2, 3, 4, 5, 6, 7, 8};

int main(void) {
  unsigned i;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_assume(i < 8);
  return values[(int)i - 1] == 100; /* BUG: out-of-bounds */
}
