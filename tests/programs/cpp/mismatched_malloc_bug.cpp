/* What malloc gave is not for delete, nor what new gave for free.
   expect: unsafe
   native: asan
   input: x=1
   input: x=2 */
#include <cstdlib>
#include "unfork.h"

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  int *one = static_cast<int *>(std::malloc(sizeof(int)));
  int *two = new int(2);
  if (x == 1) {
    delete one; /* BUG: invalid-free */
    one = nullptr;
  }
  if (x == 2) {
    std::free(two); /* BUG: invalid-free */
    two = nullptr;
  }
  std::free(one);
  delete two;
  return 0;
}
