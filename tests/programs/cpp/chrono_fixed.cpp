/* expect: safe
   native: asan */
#include <cassert>
#include <chrono>
#include "unfork.h"

using namespace std::chrono;

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x >= 0 && x < 100);
  auto time = minutes(x) + seconds(30);
  assert(duration_cast<minutes>(time).count() == x);
  assert(milliseconds(time).count() == x * 60000L + 30000);
  auto before = steady_clock::now();
  auto after = steady_clock::now();
  assert(after >= before && after - before < hours(24));
  return 0;
}
