/* What new[] gave is not for delete.
   expect: unsafe
   native: asan
   input: x=3 */
#include "unfork.h"

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  int *numbers = x == 3 ? new int[3] : new int(4);
  delete numbers; /* BUG: invalid-free */
  return 0;
}
