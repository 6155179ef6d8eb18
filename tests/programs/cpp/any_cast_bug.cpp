/* The pointer to what is not there is null.
   expect: unsafe
   native: asan
   input: x=1 */
#include <any>
#include "unfork.h"

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  std::any value = 5;
  if (x == 1) value = 5L;
  return *std::any_cast<int>(&value) == 6; /* BUG: null-dereference */
}
