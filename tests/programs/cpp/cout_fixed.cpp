/* expect: safe
   native: asan */
#include <cassert>
#include <iomanip>
#include <iostream>
#include "unfork.h"

int main() {
  unsigned char x;
  unfork_symbolic(&x, sizeof x, "x");
  std::cout << "x is " << (x > 100 ? "large" : "small") << ' ' << std::hex << 255 << std::setw(6) << std::setfill('.')
            << 1.5 << std::endl;
  std::cerr << "done\n";
  assert(std::cout.good());
  return 0;
}
