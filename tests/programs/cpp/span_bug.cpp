/* A view of elements knows nothing of its bounds.
   expect: unsafe
   options: --cflags -std=c++20
   native: asan -std=c++20
   input: x=5 */
#include <span>
#include <vector>
#include "unfork.h"

int main() {
  unsigned x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x < 8);
  std::vector<int> values(5);
  std::span<int> view = std::span(values).subspan(1);
  return view[x] == 3; /* BUG: out-of-bounds */
}
