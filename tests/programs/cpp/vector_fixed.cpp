/* expect: safe
   options: --check leak
   native: asan */
#include <cassert>
#include <vector>
#include "unfork.h"

int main() {
  int x, y;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_symbolic(&y, sizeof y, "y");
  std::vector<int> values{1, 2, 3};
  values.push_back(x);
  values.emplace_back(y);
  values.insert(values.begin() + 1, 9);
  assert(values.size() == 6 && values[1] == 9 && values[4] == x && values.back() == y);
  values.erase(values.begin(), values.begin() + 4);
  assert(values == (std::vector<int>{x, y}));
  assert((values < std::vector<int>{0, 0}) == (x < 0 || (x == 0 && y < 0)));
  std::vector<std::vector<int>> rows(2, values);
  rows[1][0]++;
  assert(rows[0][0] == x);
  rows.resize(4);
  assert(rows[3].empty());
  std::vector<bool> bits(70);
  bits[65] = x > 3;
  assert(bits[65] == (x > 3));
  return 0;
}
