/* An exception that would leave a noexcept function ends the program, though main would catch it.
   expect: unsafe
   native: asan
   input: x=12 */
#include <stdexcept>
#include "unfork.h"

static int half(int x) noexcept {
  if (x == 12) throw std::invalid_argument("twelve"); /* BUG: terminate */
  return x / 2;
}

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  try {
    return half(x) == 77;
  } catch (...) {
    return 0;
  }
}
