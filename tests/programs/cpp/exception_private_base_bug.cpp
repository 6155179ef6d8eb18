/* A handler of a private base takes nothing: the exception leaves main.
   expect: unsafe
   native: asan
   input: x=1 */
#include <stdexcept>
#include "unfork.h"

struct Hidden : private std::runtime_error {
  Hidden() : std::runtime_error("hidden") {}
};
struct Open : std::runtime_error {
  Open() : std::runtime_error("open") {}
};

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  try {
    if (x == 1) throw Hidden(); /* BUG: uncaught-exception */
    if (x == 2) throw Open();
  } catch (const std::exception &) {
    return 0;
  }
  return 0;
}
