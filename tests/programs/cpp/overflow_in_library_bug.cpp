/* A sum that is too large in the library is so at the program's line.
   expect: unsafe
   options: --check overflow
   native: none (the sanitizer names the library's line)
   input: x=2147483600 */
#include <numeric>
#include <vector>
#include "unfork.h"

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  std::vector<int> values{100, x};
  return std::accumulate(values.begin(), values.end(), 0) == 5; /* BUG: overflow */
}
