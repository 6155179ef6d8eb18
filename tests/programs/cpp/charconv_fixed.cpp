/* expect: safe
   native: asan */
#include <cassert>
#include <charconv>
#include <system_error>
#include "unfork.h"

int main() {
  char text[2];
  unfork_symbolic(text, sizeof text, "text");
  int number = -1;
  auto [end, error] = std::from_chars(text, text + 2, number);
  if (error == std::errc()) {
    assert(number >= -9 && number <= 99);
    assert(end > text && end <= text + 2);
  } else {
    assert(error == std::errc::invalid_argument && number == -1);
  }
  char written[8];
  auto [last, problem] = std::to_chars(written, written + 8, -305);
  assert(problem == std::errc() && last - written == 4 && written[1] == '3');
  return 0;
}
