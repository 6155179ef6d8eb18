/* expect: safe
   native: asan */
#include <assert.h>
#include <limits.h>
#include "unfork.h"

int main(void) {
  int a, b, r;
  unfork_symbolic(&a, sizeof a, "a");
  unfork_symbolic(&b, sizeof b, "b");
  int over = __builtin_add_overflow(a, b, &r);
  assert(r == (int)((unsigned)a + (unsigned)b));
  long wide = (long)a + b;
  assert(over == (wide > INT_MAX) + (wide < INT_MIN));
  unsigned u;
  assert(__builtin_sub_overflow(3u, 4u, &u) && u == UINT_MAX);
  long m;
  assert(!__builtin_mul_overflow((long)a, 2l, &m) && m == 2l * a);
  assert(__builtin_mul_overflow(LONG_MAX, 2l, &m));
  return 0;
}
