/* Moves take, copies do not; a temporary is not copied at all.
   expect: safe
   options: --check leak
   native: asan */
#include <cassert>
#include <string>
#include <utility>
#include <vector>
#include "unfork.h"

struct Traced {
  static int copies, moves;
  std::string text;
  explicit Traced(std::string text) : text(std::move(text)) {}
  Traced(const Traced &other) : text(other.text) { copies++; }
  Traced(Traced &&other) noexcept : text(std::move(other.text)) { moves++; }
  Traced &operator=(Traced other) {
    std::swap(text, other.text);
    return *this;
  }
};
int Traced::copies, Traced::moves;

static Traced made() { return Traced("a text that is longer than what fits inside"); }

int main() {
  unsigned char input;
  unfork_symbolic(&input, 1, "input");
  bool moves = input & 1;
  Traced first = made();
  assert(Traced::copies == 0 && Traced::moves == 0);
  std::vector<Traced> all;
  all.reserve(2);
  if (moves) all.push_back(std::move(first));
  else all.push_back(first);
  assert(Traced::moves == moves && Traced::copies == !moves);
  assert(first.text.empty() == moves && all[0].text.size() == 43);
  first = std::move(all[0]);
  assert(first.text.size() == 43);
  return 0;
}
