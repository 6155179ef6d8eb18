/* expect: unsafe
   options: --sym-stdin 2
   native: none (asks for symbolic input) */
#include <cassert>
#include <iostream>

int main() {
  int number = 0;
  std::cin >> number;
  if (!std::cin) return 0;
  assert(number != 42); /* BUG: assert */
  return 0;
}
