/* Locals of all frames on the way are destroyed, innermost first, and of an object the members that exist.
   expect: safe
   native: asan */
#include <cassert>
#include <string>
#include "unfork.h"

static std::string trace;

struct Local {
  char name;
  explicit Local(char name) : name(name) {}
  ~Local() { trace += name; }
};

static int deepest(int depth) {
  Local local(static_cast<char>('a' + depth));
  if (depth == 0) throw depth;
  return deepest(depth - 1) + 1;
}

struct Taken {
  Local local;
  int value;
};

int main() {
  unsigned char depth;
  unfork_symbolic(&depth, sizeof depth, "depth");
  unfork_assume(depth < 4);
  try {
    Local outer('z');
    Taken taken{Local('t'), deepest(depth)};
    assert(taken.value == 0);
  } catch (int) {
    trace += '!';
  }
  assert(trace == std::string("abcd").substr(0, depth + 1) + "tz!");
  return 0;
}
