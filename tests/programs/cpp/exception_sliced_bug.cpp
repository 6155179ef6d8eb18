/* A handler by value has the base alone.
   expect: unsafe
   native: asan
   input: x=6 */
#include <cassert>
#include "unfork.h"

struct Error {
  virtual ~Error() = default;
  virtual int code() const { return 0; }
};
struct Numbered : Error {
  int number;
  explicit Numbered(int number) : number(number) {}
  int code() const override { return number; }
};

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  try {
    if (x == 6) throw Numbered(x);
  } catch (Error error) {
    assert(error.code() == 6); /* BUG: assert */
  }
  return 0;
}
