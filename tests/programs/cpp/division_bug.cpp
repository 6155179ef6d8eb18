/* expect: unsafe
   native: asan
   input: x=3 */
#include <algorithm>
#include <vector>
#include "unfork.h"

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  std::vector<int> values{1, 2, 3};
  std::transform(values.begin(), values.end(), values.begin(), [x](int value) {
    return x == 3 ? 10 / (value - x) : value; /* BUG: div-by-zero */
  });
  return values[0] == 4;
}
