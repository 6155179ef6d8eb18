/* expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  float x;
  unfork_symbolic(&x, sizeof x, "x");
  float y = x;
  if (!__builtin_isnan(x)) assert(x == y);
  return 0;
}
