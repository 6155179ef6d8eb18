/* expect: safe
   native: asan
   options: --cflags "-O1" */
#include <assert.h>
#include "unfork.h"

static unsigned population(unsigned x) {
  unsigned n = 0;
  for (; x; x &= x - 1) n++;
  return n;
}

int main(void) {
  unsigned x;
  unfork_symbolic(&x, sizeof x, "x");
  x &= 15;
  unsigned n = population(x);
  assert(n <= 4);
  assert((n == 4) == (x == 15));
  return 0;
}
