/* The loop moves on from an element that it has erased.
   expect: unsafe
   native: asan
   input: x=4 */
#include <list>
#include "unfork.h"

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  std::list<int> list{1, x};
  for (auto at = list.begin(); at != list.end(); ++at) { /* BUG: use-after-free */
    if (*at == 4) list.erase(at);
  }
  return 0;
}
