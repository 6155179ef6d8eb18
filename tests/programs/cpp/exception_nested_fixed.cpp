/* std::throw_with_nested, and what is inside.
   expect: safe
   native: asan */
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include "unfork.h"

static void read(int x) {
  if (x < 0) throw std::range_error("negative");
}

static void load(int x) {
  try {
    read(x);
  } catch (...) {
    std::throw_with_nested(std::runtime_error("load"));
  }
}

static std::string text(const std::exception &error) {
  std::string all = error.what();
  try {
    std::rethrow_if_nested(error);
  } catch (const std::exception &inner) {
    all += ": " + text(inner);
  }
  return all;
}

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  std::string said;
  try {
    load(x);
  } catch (const std::exception &error) {
    said = text(error);
  }
  assert(said == (x < 0 ? "load: negative" : ""));
  return 0;
}
