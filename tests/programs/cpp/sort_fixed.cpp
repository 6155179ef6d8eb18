/* expect: safe
   native: asan */
#include <algorithm>
#include <cassert>
#include <iterator>
#include "unfork.h"

int main() {
  int values[3], sorted[3];
  unfork_symbolic(values, sizeof values, "values");
  std::copy(std::begin(values), std::end(values), sorted);
  std::sort(std::begin(sorted), std::end(sorted));
  assert(std::is_sorted(std::begin(sorted), std::end(sorted)));
  assert(std::is_permutation(std::begin(values), std::end(values), std::begin(sorted)));
  return 0;
}
