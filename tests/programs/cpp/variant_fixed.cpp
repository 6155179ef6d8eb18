/* expect: safe
   native: asan */
#include <any>
#include <cassert>
#include <string>
#include <variant>
#include "unfork.h"

using Value = std::variant<int, std::string, double>;

template <class... Functions> struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions> Overloaded(Functions...) -> Overloaded<Functions...>;

int main() {
  unsigned char which;
  unfork_symbolic(&which, sizeof which, "which");
  Value value;
  if (which == 1) value = std::string("a text that is longer than what fits inside");
  if (which == 2) value = 2.5;
  int result = std::visit(
      Overloaded{[](int) { return 10; }, [](const std::string &text) { return static_cast<int>(text.size()); },
                 [](double number) { return static_cast<int>(number * 2); }},
      value);
  assert(result == (which == 1 ? 43 : which == 2 ? 5 : 10));
  assert(value.index() == (which < 3 ? which : 0));
  assert((std::get_if<double>(&value) != nullptr) == (which == 2));
  std::any any = value;
  assert(std::any_cast<int>(&any) == nullptr);
  assert(std::any_cast<Value &>(any) == value);
  return 0;
}
