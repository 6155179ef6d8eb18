/* What an exception jumps over is not freed.
   expect: unsafe
   options: --check leak
   native: asan
   input: x=-1 */
#include <stdexcept>
#include "unfork.h"

static int first_of(int x) {
  int *values = new int[2]{x, 1}; /* BUG: leak */
  if (x < 0) throw std::invalid_argument("negative");
  int first = values[0];
  delete[] values;
  return first;
}

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  try {
    return first_of(x) == 5 ? 0 : 0;
  } catch (const std::exception &) {
    return 0;
  }
}
