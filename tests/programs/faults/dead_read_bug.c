/* A read whose value nobody uses is a fault all the same.
   expect: unsafe
   native: asan
   input: x=0 */
#include "unfork.h"

int main(void) {
  int x, value = 3;
  unfork_symbolic(&x, sizeof x, "x");
  int *p = x ? &value : 0;
  int unused = *p; /* BUG: null-dereference */
  (void)unused;
  return 0;
}
