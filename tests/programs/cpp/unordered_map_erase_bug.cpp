/* A reference to a value that is erased.
   expect: unsafe
   native: asan
   input: x=1 */
#include <unordered_map>
#include "unfork.h"

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  std::unordered_map<int, long> ages{{1, 30}, {2, 40}};
  long &age = ages[2];
  if (x == 1) ages.erase(2);
  age = 50; /* BUG: use-after-free */
  return 0;
}
