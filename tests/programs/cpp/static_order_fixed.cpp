/* Globals of a file are made in order and destroyed in reverse, functions of atexit among them.
   expect: safe
   native: asan */
#include <cassert>
#include <cstdlib>
#include "unfork.h"

static int order;

struct Global {
  int made, ends;
  Global(int made, int ends) : made(made), ends(ends) { assert(++order == made); }
  ~Global() { assert(++order == ends); }
};

static Global first(1, 8), second(2, 7);

static void at_exit() { assert(++order == 6); }

static int local(bool asked) {
  static Global inner(3, 5);
  return asked ? inner.made : 0;
}

int main() {
  unsigned char input;
  unfork_symbolic(&input, 1, "input");
  bool leaves = input & 1;
  assert(order == 2);
  std::atexit(at_exit);
  assert(local(true) == 3 && local(false) == 0);
  assert(++order == 4);
  if (leaves) std::exit(0);
  return 0;
}
