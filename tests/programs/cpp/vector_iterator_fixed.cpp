/* expect: safe
   native: asan */
#include <cassert>
#include <vector>
#include "unfork.h"

int main() {
  unsigned x;
  unfork_symbolic(&x, sizeof x, "x");
  std::vector<int> values;
  values.reserve(x == 3 ? 3 : 8);
  values.assign({1, 2, 3});
  values.push_back(4);
  auto first = values.begin();
  assert(*first == 1 && first[3] == 4);
  return 0;
}
