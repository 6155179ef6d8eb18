/* Every int survives the way through double.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int i;
  unfork_symbolic(&i, sizeof i, "i");
  double d = i;
  assert((int)d == i);
  return 0;
}
