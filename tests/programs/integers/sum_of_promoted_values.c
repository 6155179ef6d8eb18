/* Sums of promoted values are sums however they are grouped: two orders of the same addends are one value.
   expect: unsafe
   paths: 2
   native: asan
   input: a=40000 b=30000 c=30000 */
#include "unfork.h"

static unsigned short word(const char *name) {
  unsigned short x;
  unfork_symbolic(&x, sizeof x, name);
  return x;
}

int main(void) {
  unsigned short a = word("a"), b = word("b"), c = word("c");
  unsigned left = (unsigned)a + b + c, right = c + ((unsigned)b + a);
  unfork_check(left == right);
  unsigned long wide = (unsigned long)left + 5, again = (unsigned long)a + ((unsigned long)c + 5 + b);
  unfork_check(wide == again);
  unfork_check(2 * left - a == b + b + c + (left - b));
  unfork_check(left != 100000); /* BUG: assert */
  return 0;
}
