/* expect: unsafe
   options: --check overflow
   native: asan
   input: x=2147483600 */
#include <numeric>
#include <vector>
#include "unfork.h"

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  std::vector<int> values{100, x};
  int total = std::accumulate(values.begin(), values.end(), 0, [](int sum, int value) {
    return sum + value; /* BUG: overflow */
  });
  return total == 5;
}
