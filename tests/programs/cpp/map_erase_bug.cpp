/* An iterator of an element that is gone moves on.
   expect: unsafe
   native: asan
   input: x=2 */
#include <map>
#include "unfork.h"

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  std::map<int, int> map{{1, 10}, {2, 20}, {3, 30}};
  auto at = map.find(x);
  if (at == map.end()) return 0;
  map.erase(2);
  return at->second == 5; /* BUG: use-after-free */
}
