/* A destructor that may throw does so when nothing else is on its way; while something is, it keeps its own inside.
   expect: safe
   native: asan */
#include <cassert>
#include <exception>
#include "unfork.h"

static int swallowed;

struct Loud {
  ~Loud() noexcept(false) {
    if (std::uncaught_exceptions() == 0) throw 2;
    try {
      throw 3;
    } catch (int number) {
      swallowed += number;
    }
  }
};

int main() {
  unsigned char input;
  unfork_symbolic(&input, 1, "input");
  bool first = input & 1;
  int caught = 0;
  try {
    Loud loud;
    if (first) throw 1;
  } catch (int number) {
    caught = number;
  }
  assert(caught == (first ? 1 : 2));
  assert(swallowed == (first ? 3 : 0));
  return 0;
}
