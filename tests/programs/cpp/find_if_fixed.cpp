/* expect: safe
   native: asan */
#include <algorithm>
#include <cassert>
#include <vector>
#include "unfork.h"

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  std::vector<int> values{1, 3, x, 7};
  auto at = std::find_if(values.begin(), values.end(), [](int value) { return value % 2 == 0; });
  if (at == values.end())
    assert(x % 2 != 0);
  else
    assert(*at == x && at - values.begin() == 2);
  values.erase(std::remove(values.begin(), values.end(), 3), values.end());
  assert(values.size() == (x == 3 ? 2 : 3));
  assert(std::all_of(values.begin(), values.end(), [](int value) { return value != 3; }));
  return 0;
}
