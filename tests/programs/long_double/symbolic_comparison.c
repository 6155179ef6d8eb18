/* A symbolic long double made from a symbolic int.
   expect: safe
   native: asan */
#include <assert.h>
#include "unfork.h"

int main(void) {
  short s;
  unfork_symbolic(&s, sizeof s, "s");
  long double x = s;
  assert((x < 0) == (s < 0));
  assert((short)x == s);
  assert(x + 1 > x);
  return 0;
}
