/* expect: safe
   options: --cflags "-O1"
   native: asan */
#include <assert.h>
#include "unfork.h"

static unsigned divisor(unsigned a, unsigned b) { return b ? divisor(b, a % b) : a; }

int main(void) {
  unsigned a;
  unfork_symbolic(&a, sizeof a, "a");
  a = a % 6 + 1;
  unsigned d = divisor(12, a);
  assert(12 % d == 0);
  assert(a % d == 0);
  return 0;
}
