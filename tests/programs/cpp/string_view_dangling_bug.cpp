/* A view of a string that is gone at the end of the statement.
   expect: unsafe
   native: asan
   input: x=3 */
#include <string>
#include <string_view>
#include "unfork.h"

static std::string made(int x) { return std::string(40, static_cast<char>('a' + x)); }

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x >= 0 && x < 20);
  std::string_view view = made(x);
  return view[1] == 'q'; /* BUG: use-after-free */
}
