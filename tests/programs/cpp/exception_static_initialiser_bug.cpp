/* The initialiser of a global throws: no handler of main is in the way.
   expect: unsafe
   native: asan
   input: x=8 */
#include <stdexcept>
#include "unfork.h"

static int limit() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  if (x == 8) throw std::domain_error("eight"); /* BUG: uncaught-exception */
  return x;
}

static int global = limit();

int main() {
  try {
    return global == 8;
  } catch (...) {
    return 0;
  }
}
