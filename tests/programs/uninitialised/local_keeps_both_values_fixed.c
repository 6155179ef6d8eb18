/* expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int x, y = 1;
  unfork_symbolic(&x, sizeof x, "x");
  if (x > 0) y = 1;
  assert(y == 1);
  return 0;
}
