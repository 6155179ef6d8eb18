/* A length that nobody bounds: no stack holds it, though its bytes, counted modulo 2^64, may be few.
   expect: unsafe
   native: none (the stack runs out where it is touched)
   options: --max-size 64 */
#include "unfork.h"

int main(void) {
  unsigned long n;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_assume(n > 0 && (n < 9 || n > (1ul << 62)));
  int a[n]; /* BUG: stack-overflow */
  a[n - 1] = 2;
  return a[n - 1] - 2;
}
