/* What is not found is used.
   expect: unsafe
   native: asan
   input: x=9 */
#include <algorithm>
#include <vector>
#include "unfork.h"

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  std::vector<int> values{1, 3, 5, 7};
  auto at = std::lower_bound(values.begin(), values.end(), x);
  return *at == 4; /* BUG: out-of-bounds */
}
