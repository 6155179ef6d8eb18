/* expect: unsafe
   options: --check overflow
   native: asan
   input: x=2147483647 */
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  int y = x + 1; /* BUG: overflow */
  return y == 0;
}
