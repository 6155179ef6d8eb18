/* So is a division.
   expect: unsafe
   native: asan
   input: x=0 */
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  int unused = 5 / x; /* BUG: div-by-zero */
  (void)unused;
  return 0;
}
