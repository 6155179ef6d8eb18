/* The range is inside of a temporary that is gone before the loop begins.
   expect: unsafe
   options: --cflags -std=c++17
   native: asan -std=c++17
   input: x=2 */
#include <vector>
#include "unfork.h"

struct Holder {
  std::vector<int> values;
  const std::vector<int> &items() const { return values; }
};

static Holder made(int x) { return Holder{{1, x}}; }

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  int count = 0;
  for (int value : made(x).items()) /* BUG: use-after-free */
    count += value == 2;
  return count == 9;
}
