/* expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int i;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_assume(i >= 0 && i <= 16777216);
  float f = (float)i;
  assert((int)f == i);
  return 0;
}
