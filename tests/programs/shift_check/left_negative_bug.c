/* Shifting a negative number to the left is undefined in C.
   expect: unsafe
   options: --check shift-base
   native: asan
   input: x=-1 */
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x > 1000 || x < -1000) return 0;
  int y = x << 4; /* BUG: shift */
  return y == 1;
}
