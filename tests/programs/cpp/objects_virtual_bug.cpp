/* The dynamic type of a shape is any class derived from it, made by its constructor.
   expect: unsafe
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
  explicit Square(int side) : side(side < 1 ? 1 : side % 100) {}
  int area() const override { return side * side + (side == 0); }
};
class Line : public Shape {
public:
  int area() const override { return 0; }
};

int per_area(const Shape &shape, int amount) { return amount / shape.area(); } /* BUG: div-by-zero */
