/* expect: unsafe
   native: asan
   input: x=2 */
#include <functional>
#include "unfork.h"

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  std::function<int(int)> function;
  if (x != 2) function = [](int value) { return value == 5; };
  return function(0); /* BUG: uncaught-exception */
}
