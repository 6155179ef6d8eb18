/* expect: safe
   options: --check leak
   native: asan */
#include <cassert>
#include <memory>
#include <utility>
#include <vector>
#include "unfork.h"

static int closed;

struct Close {
  void operator()(int *handle) const {
    closed += *handle;
    delete handle;
  }
};

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x > 0 && x < 10);
  {
    std::vector<std::unique_ptr<int, Close>> handles;
    for (int i = 0; i < x % 3; i++) handles.emplace_back(new int(i + 1));
    if (!handles.empty()) {
      std::unique_ptr<int, Close> last = std::move(handles.back());
      assert(!handles.back());
      delete last.release();
    }
  }
  assert(closed == (x % 3 == 2 ? 1 : 0));
  return 0;
}
