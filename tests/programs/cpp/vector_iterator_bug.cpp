/* push_back moves the elements if there is no room for one more.
   expect: unsafe
   native: asan
   input: x=3 */
#include <vector>
#include "unfork.h"

int main() {
  unsigned x;
  unfork_symbolic(&x, sizeof x, "x");
  std::vector<int> values;
  values.reserve(x == 3 ? 3 : 8);
  values.assign({1, 2, 3});
  auto first = values.begin();
  values.push_back(4);
  return *first == 5; /* BUG: use-after-free */
}
