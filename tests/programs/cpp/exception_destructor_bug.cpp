/* Destructors are noexcept unless they say otherwise.
   expect: unsafe
   native: asan
   input: x=4 */
#include "unfork.h"

struct Closer {
  int x;
  ~Closer() {
    if (x == 4) throw 2; /* BUG: terminate */
  }
};

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  try {
    Closer closer{x};
  } catch (int number) {
    return number;
  }
  return 0;
}
