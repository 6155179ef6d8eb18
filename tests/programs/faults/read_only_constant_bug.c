/* A constant object, written through a cast.
   expect: unsafe
   native: asan
   input: i=1 */
#include "unfork.h"

static const int table[3] = {1, 2, 3};
static int scratch[3];

int main(void) {
  unsigned i;
  unfork_symbolic(&i, sizeof i, "i");
  int *p = i & 1 ? (int *)table : scratch;
  p[2] = 9; /* BUG: read-only */
  return 0;
}
