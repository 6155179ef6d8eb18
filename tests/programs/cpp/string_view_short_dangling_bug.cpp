/* The same with a string that fits inside of its object.
   expect: unsafe
   native: asan
   input: x=3 */
#include <string>
#include <string_view>
#include "unfork.h"

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  std::string_view view;
  {
    std::string text = "short";
    if (x == 3) view = text;
  }
  return !view.empty() && view[0] == 'q'; /* BUG: use-after-free */
}
