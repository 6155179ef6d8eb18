/* expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  double x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x > 0 && x < 10 && x != 1.5) assert(x * 2 != 3.0);
  return 0;
}
