/* A pointer to an object whose block has ended.
   expect: unsafe
   native: asan
   input: x=5 */
#include "unfork.h"

struct Box {
  int value;
  explicit Box(int value) : value(value) {}
  ~Box() { value = 0; }
};

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  Box outer(1);
  Box *box = &outer;
  if (x == 5) {
    Box inner(x);
    box = &inner;
  }
  return box->value == 7; /* BUG: use-after-free */
}
