/* What the standard forbids and memory need not show: libc++'s own assertions find it, for each input another one.
   expect: unsafe
   options: --check memory,div,hardening --cflags -std=c++20
   native: none (the libraries do not have the same assertions; tests/toolchain/test_cpp.py has some of both) */
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>
#include "unfork.h"

static int last_of(const std::deque<int> &numbers) { return numbers.back(); /* BUG: hardening */ }

int main() {
  int way;
  unfork_symbolic(&way, sizeof way, "way");
  std::vector<int> numbers;
  numbers.reserve(8);
  numbers.push_back(way);
  switch (way) {
    case 1:
      return numbers[way]; /* BUG: hardening */
    case 2: {
      std::optional<int> none;
      return *none; /* BUG: hardening */
    }
    case 3: {
      std::string_view view("abcdef", way);
      return view[3]; /* BUG: hardening */
    }
    case 4: {
      std::span<int> all(numbers);
      return all.subspan(1).front(); /* BUG: hardening */
    }
    case 5:
      return last_of({});
  }
  return 0;
}
