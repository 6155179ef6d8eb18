/* expect: safe
   native: asan */
#include <cassert>
#include <string_view>
#include "unfork.h"

using namespace std::literals;

static std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

int main() {
  char bytes[3];
  unfork_symbolic(bytes, sizeof bytes, "bytes");
  std::string_view result = trimmed({bytes, 3});
  assert(result.size() <= 3);
  assert(result.empty() || (result.front() != ' ' && result.back() != ' '));
  if (result == "ab"sv) assert(bytes[0] == ' ' || bytes[2] == ' ');
  return 0;
}
