/* Virtual calls on what is no object of the class, and on one that has ended.
   expect: unsafe
   native: none (where a call through a wrong table crashes is chance) */
#include <cstring>
#include <new>
#include "unfork.h"

struct Shape {
  static int shapes;
  virtual ~Shape() { shapes--; }
  virtual int area() const = 0;
};
int Shape::shapes = 0;
struct Square : Shape {
  int side = 2;
  int area() const override { return side * side; }
};
struct Cube : Square {
  virtual int volume() const { return side * side * side; }
};

int main() {
  int way;
  unfork_symbolic(&way, sizeof way, "way");
  Square square;
  Shape *shape = &square;
  switch (way) {
    case 1:
      std::memset(static_cast<void *>(shape), 0, sizeof square);
      return shape->area(); /* BUG: null-dereference */
    case 2: {
      long wrong[] = {1L << 20, 1};
      std::memcpy(static_cast<void *>(shape), wrong, sizeof square);
      return shape->area(); /* BUG: out-of-bounds */
    }
    case 3: {
      static long table[] = {12, 34, 56, 78};
      long *address = table;
      std::memcpy(static_cast<void *>(shape), &address, sizeof address);
      return shape->area(); /* BUG: invalid-call */
    }
    case 4:
      return static_cast<Cube *>(&square)->volume(); /* BUG: out-of-bounds */
    case 5: {
      int (Shape::*member)() const = nullptr;
      return (shape->*member)(); /* BUG: null-dereference */
    }
    case 6: {
      alignas(Square) static unsigned char storage[sizeof(Square)];
      Shape *placed = new (storage) Square;
      placed->~Shape();
      return placed->area(); /* BUG: invalid-call */
    }
  }
  return 0;
}
