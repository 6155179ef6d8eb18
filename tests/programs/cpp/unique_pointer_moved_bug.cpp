/* A pointer that was moved from is null.
   expect: unsafe
   native: asan
   input: x=7 */
#include <memory>
#include <utility>
#include "unfork.h"

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  auto pointer = std::make_unique<int>(x);
  std::unique_ptr<int> other;
  if (x == 7) other = std::move(pointer);
  return *pointer == 9 ? 0 : 0; /* BUG: null-dereference */
}
