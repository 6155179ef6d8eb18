/* An int is no double for a handler.
   expect: unsafe
   native: asan
   input: x=3 */
#include "unfork.h"

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  try {
    if (x == 3) throw x; /* BUG: uncaught-exception */
    if (x == 4) throw 4.0;
  } catch (double) {
    return 0;
  } catch (long) {
    return 0;
  }
  return 0;
}
