/* Objects in a buffer, of their alignment, destroyed by hand.
   expect: safe
   native: asan */
#include <cassert>
#include <new>
#include <string>
#include "unfork.h"

int main() {
  int count;
  unfork_symbolic(&count, sizeof count, "count");
  unfork_assume(count >= 0 && count <= 2);
  alignas(std::string) unsigned char buffer[2 * sizeof(std::string)];
  std::string *strings = reinterpret_cast<std::string *>(buffer);
  for (int i = 0; i < count; i++) new (strings + i) std::string(30 + i, 'p');
  int total = 0;
  for (int i = 0; i < count; i++) {
    total += std::launder(strings + i)->size();
    strings[i].~basic_string();
  }
  assert(total == (count == 0 ? 0 : count == 1 ? 30 : 61));
  return 0;
}
