/* expect: safe
   native: asan */
#include <cassert>
#include <set>
#include "unfork.h"

struct Descending {
  bool operator()(int one, int two) const { return one > two; }
};

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  std::set<int, Descending> set{5, 3, x};
  assert(set.size() == (x == 5 || x == 3 ? 2 : 3));
  assert(*set.begin() == (x > 5 ? x : 5));
  assert(set.count(x) == 1);
  int last = 0, count = 0;
  for (int value : set) {
    assert(count++ == 0 || value < last);
    last = value;
  }
  std::multiset<int> several{1, 1, x};
  assert(several.count(1) == (x == 1 ? 3 : 2));
  return 0;
}
