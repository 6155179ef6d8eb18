/* The same object goes on when it is rethrown, through several handlers; a new exception in a handler ends the old one.
   expect: safe
   native: asan */
#include <cassert>
#include "unfork.h"

static int alive;

struct Counted {
  int value;
  explicit Counted(int value) : value(value) { alive++; }
  Counted(const Counted &other) : value(other.value) { alive++; }
  ~Counted() { alive--; }
};

static void inner(int x) {
  try {
    throw Counted(x);
  } catch (Counted &object) {
    object.value++;
    throw;
  }
}

static void middle(int x) {
  try {
    inner(x);
  } catch (...) {
    try {
      throw 4;
    } catch (int number) {
      assert(number == 4);
    }
    assert(alive == 1);
    throw;
  }
}

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x > 0 && x < 100);
  try {
    middle(x);
    assert(false);
  } catch (Counted object) {
    assert(object.value == x + 1);
    assert(alive == 2);
  }
  assert(alive == 0);
  try {
    try {
      throw Counted(1);
    } catch (const Counted &) {
      throw 7;
    }
  } catch (int number) {
    assert(number == 7);
    assert(alive == 0);
  }
  return 0;
}
