/* There is nothing to rethrow outside of a handler.
   expect: unsafe
   native: asan
   input: x=5 */
#include "unfork.h"

static void again() {
  throw; /* BUG: terminate */
}

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  try {
    if (x == 5) again();
  } catch (...) {
    return 1;
  }
  return 0;
}
