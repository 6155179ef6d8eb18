/* expect: safe
   options: --check leak
   native: asan */
#include <memory>
#include <stdexcept>
#include "unfork.h"

static int first_of(int x) {
  auto values = std::make_unique<int[]>(2);
  values[0] = x;
  if (x < 0) throw std::invalid_argument("negative");
  return values[0];
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
