/* expect: safe
   native: asan */
#include <cassert>
#include <optional>
#include <string>
#include "unfork.h"

static std::optional<std::string> name_of(int x) {
  if (x < 0) return std::nullopt;
  return std::string(x > 5 ? "a name that is too long to fit inside" : "short");
}

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  auto name = name_of(x);
  assert(name.has_value() == (x >= 0));
  assert(name.value_or("none")[0] == (x < 0 ? 'n' : x > 5 ? 'a' : 's'));
  if (name) assert(name->size() == (x > 5 ? 37 : 5));
  name.emplace("other");
  assert(*name == "other");
  name.reset();
  assert(name == std::nullopt);
  return 0;
}
