/* expect: unsafe
   native: asan
   input: x=1 */
#include <variant>
#include "unfork.h"

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  std::variant<int, char> value = 5;
  if (x == 1) value = 'c';
  return std::get<int>(value) == 6; /* BUG: uncaught-exception */
}
