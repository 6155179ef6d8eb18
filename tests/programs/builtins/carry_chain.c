/* expect: safe
   native: clang */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned a[2], b[2], r[2], carry;
  unfork_symbolic(a, sizeof a, "a");
  unfork_symbolic(b, sizeof b, "b");
  r[0] = __builtin_addc(a[0], b[0], 0, &carry);
  r[1] = __builtin_addc(a[1], b[1], carry, &carry);
  unsigned long x = (unsigned long)a[1] << 32 | a[0], y = (unsigned long)b[1] << 32 | b[0];
  assert(((unsigned long)r[1] << 32 | r[0]) == x + y);
  assert(carry == (x + y < x));
  return 0;
}
