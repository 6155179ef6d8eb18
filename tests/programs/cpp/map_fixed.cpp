/* expect: safe
   options: --check leak
   native: asan */
#include <cassert>
#include <map>
#include "unfork.h"

int main() {
  int x, y;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_symbolic(&y, sizeof y, "y");
  std::map<int, int> map;
  map[x] = 1;
  map[y] += 2;
  assert(map.size() == (x == y ? 1 : 2));
  assert(map.at(x) == (x == y ? 3 : 1));
  assert(map.begin()->first == (x < y ? x : y));
  auto [at, is_new] = map.insert({x, 5});
  assert(!is_new && at->first == x);
  assert((map.find(77) == map.end()) == (x != 77 && y != 77));
  assert(map.erase(y) == 1);
  assert(map.empty() == (x == y));
  return 0;
}
