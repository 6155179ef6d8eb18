/* expect: safe
   native: asan */
#include <cassert>
#include <regex>
#include <string>
#include "unfork.h"

int main() {
  unsigned char input;
  unfork_symbolic(&input, 1, "input");
  bool first = input & 1;
  std::string text = first ? "k=12" : "k=1x";
  std::smatch match;
  bool matches = std::regex_match(text, match, std::regex("([a-z])=([0-9]+)"));
  assert(matches == first);
  if (matches) assert(match[2] == "12");
  return 0;
}
