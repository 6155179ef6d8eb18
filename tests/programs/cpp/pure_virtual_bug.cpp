/* A constructor of the base calls what only the derived class has.
   expect: unsafe
   native: none (tests/toolchain/test_cpp.py replays it) */
#include "unfork.h"

struct Widget {
  explicit Widget(int x) {
    if (x == 2) draw_twice();
  }
  virtual ~Widget() = default;
  virtual void draw() = 0;
  void draw_twice() {
    draw(); /* BUG: invalid-call */
    draw();
  }
};
struct Button : Widget {
  int drawn = 0;
  explicit Button(int x) : Widget(x) {}
  void draw() override { drawn++; }
};

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  Button button(x);
  button.draw_twice();
  return button.drawn == 9;
}
