/* expect: safe
   paths: 2
   native: asan */
#include "unfork.h"

static int data[4] = {0, 2, 3, 4};
static int zero(void) { return data[0]; }
static int other(void) { return data[0]; }

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  int (*f)(void) = zero;
  if (x == 1) f = other;
  return f();
}
