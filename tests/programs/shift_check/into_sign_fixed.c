/* expect: safe
   options: --check shift-base
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  n %= 29;
  volatile int five = 5;
  int y = five << n;
  assert(y >= 5);
  return 0;
}
