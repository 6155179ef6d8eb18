/* An exception with a text leaves main.
   expect: unsafe
   native: asan
   input: x=41 */
#include <stdexcept>
#include <string>
#include "unfork.h"

static int checked(int x) {
  if (x == 41) throw std::runtime_error("value " + std::to_string(x) + " is refused"); /* BUG: uncaught-exception */
  return x;
}

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  return checked(x) == 7 ? 0 : 0;
}
