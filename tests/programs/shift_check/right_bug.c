/* expect: unsafe
   options: --check shift
   native: asan
   input: n=64 */
#include "unfork.h"

int main(void) {
  unsigned char n;
  unfork_symbolic(&n, sizeof n, "n");
  volatile unsigned long x = ~0ul;
  if (n > 64) return 0;
  unsigned long y = x >> n; /* BUG: shift */
  return y == 1 ? 0 : 0;
}
