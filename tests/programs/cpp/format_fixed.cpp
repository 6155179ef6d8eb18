/* expect: safe
   options: --cflags -std=c++20
   native: none (the library of the system's gcc has no std::format) */
#include <cassert>
#include <format>
#include <string>
#include "unfork.h"

int main() {
  unsigned char input;
  unfork_symbolic(&input, 1, "input");
  bool is_large = input & 1;
  std::string text = std::format("{:>4}|{:#x}|{:.2f}|{}", is_large ? 1234 : 7, 255, 1.5, "end");
  assert(text == (is_large ? "1234|0xff|1.50|end" : "   7|0xff|1.50|end"));
  return 0;
}
