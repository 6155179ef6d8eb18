/* An element is erased in a loop that steps over the next, and over the end.
   expect: unsafe
   native: asan
   input: x=2 */
#include <vector>
#include "unfork.h"

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  std::vector<int> values{1, 3, x};
  int count = 0;
  for (auto at = values.begin(); at != values.end(); ++at) {
    int value = *at; /* BUG: out-of-bounds */
    if (value == 2) values.erase(at);
    if (++count == 5) break;
  }
  return 0;
}
