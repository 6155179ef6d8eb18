/* expect: unsafe
   native: asan
   input: x=4 */
#include <vector>
#include "unfork.h"

int main() {
  unsigned x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x < 5);
  std::vector<int> values{1, 2, 3, 4};
  values[x] = 7; /* BUG: out-of-bounds */
  return 0;
}
