/* expect: safe
   options: --check leak
   native: asan -std=c++17 */
#include <cassert>
#include <cstdint>
#include <memory>
#include <vector>
#include "unfork.h"

struct alignas(64) Line {
  int values[4];
};

int main() {
  unsigned count;
  unfork_symbolic(&count, sizeof count, "count");
  unfork_assume(count >= 1 && count <= 3);
  auto line = std::make_unique<Line>();
  assert(reinterpret_cast<std::uintptr_t>(line.get()) % 64 == 0);
  std::vector<Line> lines(count);
  for (Line &each : lines) assert(reinterpret_cast<std::uintptr_t>(&each) % 64 == 0);
  Line *array = new Line[2];
  assert(reinterpret_cast<std::uintptr_t>(array + 1) % 64 == 0);
  delete[] array;
  return 0;
}
