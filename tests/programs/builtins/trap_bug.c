/* expect: unsafe
   native: asan
   input: x=-5 */
#include "unfork.h"

int main(void) {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x == -5) __builtin_trap(); /* BUG: abort */
  return 0;
}
