/* Virtual functions through several bases: the object is found again from each of them.
   expect: safe
   options: --check leak
   native: asan */
#include <cassert>
#include <memory>
#include "unfork.h"

static int destroyed;

struct Shape {
  virtual ~Shape() { destroyed++; }
  virtual int area() const = 0;
};
struct Named {
  const char *name;
  explicit Named(const char *name) : name(name) {}
  virtual ~Named() { destroyed += 10; }
  virtual char letter() const { return name[0]; }
};
struct Square : Shape, Named {
  int side;
  explicit Square(int side) : Named("square"), side(side) {}
  ~Square() override { destroyed += 100; }
  int area() const override { return side * side; }
  char letter() const override { return side > 10 ? 'S' : Named::letter(); }
};
struct Counter {
  int count = 0;
};
struct Left : virtual Counter { int up() { return ++count; } };
struct Right : virtual Counter { int down() { return --count; } };
struct Both : Left, Right {};

int main() {
  int side;
  unfork_symbolic(&side, sizeof side, "side");
  unfork_assume(side > 0 && side < 100);
  Square *square = new Square(side);
  Shape *shape = square;
  Named *named = square;
  assert(static_cast<void *>(shape) != static_cast<void *>(named));
  assert(shape->area() == side * side);
  assert(named->letter() == (side > 10 ? 'S' : 's'));
  assert(static_cast<Square *>(named) == square);
  int Square::*member = &Square::side;
  int (Shape::*area)() const = &Shape::area;
  assert((square->*area)() == side * side && square->*member == side);
  delete named;
  assert(destroyed == 111);
  Both both;
  both.up();
  both.up();
  assert(both.down() == 1 && both.Left::count == 1);
  return 0;
}
