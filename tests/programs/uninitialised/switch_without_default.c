/* A switch without default leaves the result open.
   expect: unsafe
   native: none (gcc has no check for uninitialised reads) */
#include <assert.h>
#include "unfork.h"

static int pick(int x) {
  int y;
  switch (x) {
  case 1: y = 10; break;
  case 2: y = 20; break;
  }
  return y;
}

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  int y = pick(x);
  assert(y == 10 || y == 20); /* BUG: assert */
  return 0;
}
