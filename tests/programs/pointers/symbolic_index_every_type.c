/* expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  static const char c[4] = {1, 2, 3, 4};
  static const short s[4] = {10, 20, 30, 40};
  static const int n[4] = {100, 200, 300, 400};
  static const long l[4] = {1000, 2000, 3000, 4000};
  static const double d[4] = {0.5, 1.5, 2.5, 3.5};
  unsigned i;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_assume(i < 4);
  assert(c[i] * 10 == s[i]);
  assert(s[i] * 10 == n[i]);
  assert(n[i] * 10 == l[i]);
  assert((int)d[i] + 1 == c[i]);
  return 0;
}
