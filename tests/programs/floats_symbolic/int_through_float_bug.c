/* Not every int survives the way through float.
   expect: unsafe
   native: asan
   input: i=16777217 */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int i;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_assume(i >= 0 && i <= 100000000);
  float f = (float)i;
  assert((int)f == i); /* BUG: assert */
  return 0;
}
