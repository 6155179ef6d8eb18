/* expect: unsafe
   native: asan
   input: i=2 */
#include "unfork.h"

int main(void) {
  int a = 1, b = 2, d = 4;
  int *cells[4] = {&a, &b, 0, &d};
  unsigned i;
  unfork_symbolic(&i, sizeof i, "i");
  unfork_assume(i < 4);
  return *cells[i] == 9; /* BUG: null-dereference */
}
