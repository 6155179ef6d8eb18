/* A second exception leaves a destructor while the first is on its way.
   expect: unsafe
   native: asan
   input: x=4 */
#include "unfork.h"

struct Loud {
  int x;
  ~Loud() noexcept(false) {
    if (x == 4) throw 2; /* BUG: terminate */
  }
};

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  try {
    Loud loud{x};
    throw 1;
  } catch (int number) {
    return number;
  }
}
