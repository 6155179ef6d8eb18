/* expect: safe
   native: asan */
#include <algorithm>
#include <array>
#include <cassert>
#include "unfork.h"

int main() {
  unsigned char x;
  unfork_symbolic(&x, sizeof x, "x");
  std::array<unsigned char, 4> values{4, 2, x, 1};
  std::reverse(values.begin(), values.end());
  assert(values[1] == x && values.front() == 1);
  auto copy = values;
  copy.fill(0);
  assert(copy != values);
  auto [low, high] = std::minmax_element(values.begin(), values.end());
  assert(*low <= 1 && *high >= 4);
  return 0;
}
