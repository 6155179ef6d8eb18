/* The handler of a constructor's function try block runs when the members are gone, and rethrows at its end.
   expect: safe
   native: asan */
#include <cassert>
#include <stdexcept>
#include <string>
#include "unfork.h"

static std::string trace;

struct Part {
  char name;
  explicit Part(char name) : name(name) { trace += name; }
  ~Part() { trace += static_cast<char>(name - 'a' + 'A'); }
};

struct Whole {
  Part first, second;
  explicit Whole(int x) try : first('a'), second('b') {
    if (x == 3) throw std::runtime_error("three");
  } catch (const std::exception &error) {
    trace += error.what()[0];
  }
};

static int guarded(int x) try {
  Whole whole(x);
  return 1;
} catch (const std::runtime_error &) {
  return 2;
}

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  int result = guarded(x);
  assert(result == (x == 3 ? 2 : 1));
  assert(trace == (x == 3 ? "abBAt" : "abBA"));
  return 0;
}
