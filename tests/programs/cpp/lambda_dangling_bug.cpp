/* A lambda keeps a reference to a local that is gone.
   expect: unsafe
   native: asan
   input: x=3 */
#include <functional>
#include "unfork.h"

static std::function<int()> counter(int x) {
  int count = x;
  if (x == 3) return [&count] { return ++count; }; /* BUG: use-after-free */
  return [count]() mutable { return count == 5 ? 1 : 0; };
}

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  auto next = counter(x);
  return next() == 77;
}
