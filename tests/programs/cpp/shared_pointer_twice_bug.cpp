/* Two owners that do not know of each other.
   expect: unsafe
   native: asan
   input: x=1 */
#include <memory>
#include "unfork.h"

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  int *number = new int(3);
  std::shared_ptr<int> first(number), second;
  if (x == 1) second = std::shared_ptr<int>(first.get());
  first.reset();
  second.reset(); /* BUG: double-free */
  return 0;
}
