/* expect: safe
   paths: 2
   native: asan */
#include <assert.h>
#include "unfork.h"

typedef int (*unary)(int);
static int identity(int x) { return x; }
static int negate(int x) { return -x; }
static unary choose(int x) { return x < 0 ? negate : identity; }

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x > -100 && x < 100);
  unary f = choose(x);
  assert((f == negate) == (x < 0));
  assert(f(x) >= 0);
  return 0;
}
