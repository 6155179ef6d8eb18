/* expect: unsafe
   native: asan
   input: i=10 */
#include "unfork.h"

int main(void) {
  char buffer[10];
  unsigned i;
  unfork_symbolic(&i, sizeof i, "i");
  if (i <= 10) buffer[i] = 1; /* BUG: out-of-bounds */
  return 0;
}
