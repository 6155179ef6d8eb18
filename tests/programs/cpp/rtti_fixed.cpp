/* dynamic_cast down, across and to the whole object; typeid of what an object is.
   expect: safe
   native: asan */
#include <cassert>
#include <string>
#include <typeindex>
#include <typeinfo>
#include "unfork.h"

struct Base { virtual ~Base() = default; };
struct Mixin { virtual ~Mixin() = default; int mixed = 6; };
struct Plain : Base {};
struct Rich : Base, Mixin { int own = 7; };
struct Secret : private Mixin, public Base {};

int main() {
  unsigned char which;
  unfork_symbolic(&which, sizeof which, "which");
  Plain plain;
  Rich rich;
  Secret secret;
  Base *base = which == 0 ? static_cast<Base *>(&plain) : which == 1 ? static_cast<Base *>(&rich) : &secret;
  auto *as_rich = dynamic_cast<Rich *>(base);
  auto *mixin = dynamic_cast<Mixin *>(base);
  assert((as_rich != nullptr) == (which == 1));
  assert((mixin != nullptr) == (which == 1));
  if (mixin) {
    assert(mixin->mixed == 6 && dynamic_cast<void *>(mixin) == &rich);
    assert(dynamic_cast<Base *>(mixin) == base);
  }
  assert((typeid(*base) == typeid(Plain)) == (which == 0));
  assert(std::type_index(typeid(*base)) != std::type_index(typeid(Base)));
  assert(std::string(typeid(int).name()) == "i");
  return 0;
}
