/* expect: safe
   options: --check shift
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned char n;
  unfork_symbolic(&n, sizeof n, "n");
  volatile unsigned long x = ~0ul;
  if (n >= 64) return 0;
  unsigned long y = x >> n;
  assert(y != 0);
  return 0;
}
