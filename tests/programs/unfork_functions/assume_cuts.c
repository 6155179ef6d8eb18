/* What is assumed holds from there on; the rest ends in silence.
   expect: safe
   paths: 1
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x > 10);
  unfork_assume(x < 20);
  assert(x * x < 400);
  return 0;
}
