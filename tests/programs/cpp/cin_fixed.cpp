/* expect: safe
   options: --sym-stdin 3
   native: none (asks for symbolic input) */
#include <cassert>
#include <iostream>
#include <string>

int main() {
  std::string line;
  if (!std::getline(std::cin, line)) return 0;
  assert(line.size() <= 3);
  assert(line.find('\n') == std::string::npos);
  return 0;
}
