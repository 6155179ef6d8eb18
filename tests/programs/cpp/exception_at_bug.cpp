/* An index that at() refuses, and nobody catches it.
   expect: unsafe
   native: asan
   input: x=3 */
#include <vector>
#include "unfork.h"

int main() {
  unsigned x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x <= 3);
  std::vector<int> values{4, 5, 6};
  return values.at(x) == 7; /* BUG: uncaught-exception */
}
