/* The textbook rotation shifts by 32 when the amount is zero.
   expect: unsafe
   options: --check shift
   native: asan
   input: x=7 n=0 */
#include "unfork.h"

static unsigned rotate(unsigned x, unsigned n) {
  return x << n | x >> (32 - n); /* BUG: shift */
}

int main(void) {
  unsigned x, n;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_symbolic(&n, sizeof n, "n");
  return rotate(x, n & 31) == 1 ? 0 : 0;
}
