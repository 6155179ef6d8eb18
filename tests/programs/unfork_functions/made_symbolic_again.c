/* A second call gives the object a new value.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int x, y;
  unfork_symbolic(&x, sizeof x, "x");
  y = x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x != y);
  assert(x - y != 0);
  return 0;
}
