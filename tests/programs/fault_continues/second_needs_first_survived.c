/* The second bug is possible only where the first did not strike.
   expect: unsafe
   native: asan
   input: n=0
   input: n=250 */
#include "unfork.h"

int main(void) {
  static char slots[995];
  unsigned char n;
  unfork_symbolic(&n, sizeof n, "n");
  unsigned share = 1000u / n; /* BUG: div-by-zero */
  if (share > 4) return 0;
  slots[share * n] = 1; /* BUG: out-of-bounds */
  return 0;
}
