/* A reference cast to a class that the object is not of.
   expect: unsafe
   native: asan
   input: x=1 */
#include "unfork.h"

struct Shape { virtual ~Shape() = default; };
struct Circle : Shape { int radius = 2; };
struct Square : Shape { int side = 3; };

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  Circle circle;
  Square square;
  Shape &shape = x == 1 ? static_cast<Shape &>(square) : circle;
  return dynamic_cast<Circle &>(shape).radius == 5; /* BUG: uncaught-exception */
}
