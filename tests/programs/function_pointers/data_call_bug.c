/* A pointer to data is called.
   expect: unsafe
   native: asan
   input: x=1 */
#include "unfork.h"

static int data[4] = {1, 2, 3, 4};
static int zero(void) { return 0; }

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  int (*f)(void) = zero;
  if (x == 1) f = (int (*)(void))(void *)data;
  return f(); /* BUG: invalid-call */
}
