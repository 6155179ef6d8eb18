/* Exceptions that the library throws, each caught as what the standard says.
   expect: safe
   native: asan */
#include <any>
#include <array>
#include <cassert>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <variant>
#include <vector>
#include "unfork.h"

struct Base { virtual ~Base() = default; };
struct Derived : Base {};

static int caught(unsigned kind) {
  Base base;
  Base *none = nullptr;
  try {
    switch (kind) {
    case 0: return dynamic_cast<Derived &>(base), 0;
    case 1: return typeid(*none) == typeid(Base);
    case 2: return std::vector<int>{1, 2}.at(2);
    case 3: return std::optional<int>().value();
    case 4: return std::get<int>(std::variant<int, char>('c'));
    case 5: return std::any_cast<int>(std::any(2.0));
    case 6: return std::function<int()>()();
    case 7: return *std::shared_ptr<int>(std::weak_ptr<int>());
    case 8: return std::stoi("none");
    case 9: return std::stoi("99999999999");
    case 10: return std::map<int, int>{{1, 2}}.at(3);
    case 11: return std::string("ab").substr(3).size();
    }
  } catch (const std::bad_any_cast &) {
    return 5;
  } catch (const std::bad_cast &) {
    return 0;
  } catch (const std::bad_typeid &) {
    return 1;
  } catch (const std::bad_optional_access &) {
    return 3;
  } catch (const std::bad_variant_access &) {
    return 4;
  } catch (const std::bad_function_call &) {
    return 6;
  } catch (const std::bad_weak_ptr &) {
    return 7;
  } catch (const std::invalid_argument &) {
    return 8;
  } catch (const std::out_of_range &) {
    return 2;
  }
  return 100;
}

int main() {
  unsigned kind;
  unfork_symbolic(&kind, sizeof kind, "kind");
  int result = caught(kind);
  if (kind > 11) assert(result == 100);
  else if (kind < 9) assert(result == static_cast<int>(kind));
  else assert(result == 2);
  return 0;
}
