/* expect: safe
   options: --check shift-base
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x > 1000 || x < -1000) return 0;
  int y = x * 16;
  assert(y / 16 == x);
  return 0;
}
