/* A local static is made once, when control comes by first; if that throws, it is tried again.
   expect: safe
   native: asan */
#include <cassert>
#include "unfork.h"

static int tries;

struct Costly {
  int number;
  explicit Costly(int number) : number(number) {
    if (++tries == 1) throw 1;
  }
};

static int number(int x) {
  static Costly costly(x);
  return costly.number;
}

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  int caught = 0;
  if (x > 0) {
    try {
      number(x);
    } catch (int) {
      caught++;
    }
    assert(number(x) == x);
    assert(number(5) == x);
  }
  assert(tries == (x > 0 ? 2 : 0) && caught == (x > 0));
  return 0;
}
