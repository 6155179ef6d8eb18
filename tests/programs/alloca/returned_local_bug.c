/* expect: unsafe
   native: asan
   input: x=1 */
#include "unfork.h"

static int *escape(int x) {
  int local[2] = {x, x};
  int *volatile p = local;
  return p;
}

static int other = 5;

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  int *p = x == 1 ? escape(x) : &other;
  return *p == 9; /* BUG: use-after-free */
}
