/* std::exception_ptr keeps an exception beyond its handler, and throws it again, twice.
   expect: safe
   options: --check leak
   native: asan */
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include "unfork.h"

static std::exception_ptr kept(int x) {
  try {
    if (x == 1) throw std::out_of_range("one");
    if (x == 2) return std::make_exception_ptr(std::string("two"));
  } catch (...) {
    return std::current_exception();
  }
  return nullptr;
}

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  std::exception_ptr pointer = kept(x);
  assert((pointer == nullptr) == (x != 1 && x != 2));
  assert(std::current_exception() == nullptr);
  for (int i = 0; i < 2 && pointer; i++) {
    try {
      std::rethrow_exception(pointer);
    } catch (const std::logic_error &error) {
      assert(x == 1 && error.what() == std::string("one"));
    } catch (const std::string &text) {
      assert(x == 2 && text == "two");
    }
  }
  return 0;
}
