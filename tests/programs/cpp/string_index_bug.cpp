/* expect: unsafe
   native: asan
   input: x=80 */
#include <string>
#include "unfork.h"

int main() {
  unsigned char x;
  unfork_symbolic(&x, sizeof x, "x");
  std::string text(64, 'a');
  text.shrink_to_fit();
  unsigned at = x > 70 ? 500u : x % 64;
  return text[at] == 'b'; /* BUG: out-of-bounds */
}
