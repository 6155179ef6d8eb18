/* expect: unsafe
   native: asan
   input: x=6 */
#include <array>
#include "unfork.h"

int main() {
  unsigned char x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x <= 6);
  std::array<int, 6> values{};
  return values[x]; /* BUG: out-of-bounds */
}
