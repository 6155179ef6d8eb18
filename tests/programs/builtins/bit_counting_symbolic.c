/* expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  unsigned short x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x != 0);
  unsigned v = x;
  int count = 0;
  for (int i = 0; i < 16; i++) count += v >> i & 1;
  assert(__builtin_popcount(v) == count);
  assert(v >> __builtin_ctz(v) & 1);
  assert(v >> (31 - __builtin_clz(v)) == 1);
  return 0;
}
