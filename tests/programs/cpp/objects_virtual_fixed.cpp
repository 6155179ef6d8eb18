/* Every class derived from it keeps the promise; pointers to it are null or lead to one of them.
   expect: safe
   options: --function per_area
   native: none (a function that is run alone) */
class Shape {
public:
  virtual ~Shape() = default;
  virtual int area() const = 0;
};
class Square : public Shape {
  int side;

public:
  explicit Square(int side) : side(side < 1 || side > 99 ? 1 : side) {}
  int area() const override { return side * side; }
};
class Unit : public Shape {
public:
  int area() const override { return 1; }
};

int per_area(const Shape *shape, int amount) { return shape == nullptr ? 0 : amount / shape->area(); }
