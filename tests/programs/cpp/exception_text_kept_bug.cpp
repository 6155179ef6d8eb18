/* The text of an exception is gone after its handler.
   expect: unsafe
   native: asan
   input: x=2 */
#include <stdexcept>
#include <string>
#include "unfork.h"

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  const char *text = "none";
  try {
    if (x == 2) throw std::runtime_error(std::string("a text that is longer than what fits inside"));
  } catch (const std::exception &error) {
    text = error.what();
  }
  return text[0] == 'b'; /* BUG: use-after-free */
}
