/* expect: unsafe
   options: --check shift-base
   native: asan
   input: n=29 */
#include "unfork.h"

int main(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  n %= 30;
  volatile int five = 5;
  int y = five << n; /* BUG: shift */
  return y == 1 ? 0 : 0;
}
