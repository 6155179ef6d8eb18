/* Objects that no caller can make are made member by member; each has the virtual table of a class that is made somewhere.
   expect: unsafe
   options: --function either
   native: none (a function that is run alone) */
class Shape {
protected:
  Shape() = default;

public:
  virtual unsigned area() const = 0;
  virtual ~Shape() = default;
};
struct Named {
  int name = 0;
};
class Square : public Named, public Shape {
  unsigned side;
  explicit Square(unsigned side) : side(side) {}

public:
  static Shape *of(unsigned side) { return new Square(side); }
  unsigned area() const override { return side * side | 1; }
};
class Line : public Shape {
  unsigned width = 0;
  Line() = default;

public:
  static Shape *of() { return new Line; }
  unsigned area() const override { return width; }
};
class Triangle : public Shape {
  Triangle() = default;

public:
  unsigned area() const override { throw 1; }
};

unsigned either(const Shape *shape) { return shape == nullptr ? 0 : 100 / shape->area(); } /* BUG: div-by-zero */

int main() {
  delete Square::of(1);
  delete Line::of();
}
