/* The shape that the function has made is asked for its area before it is deleted.
   scan: nothing certain */
struct Shape {
  virtual int area() const = 0;
  virtual ~Shape() {}
};
struct Square : Shape {
  int side;
  explicit Square(int side) : side(side) {}
  int area() const override { return side % 100 * (side % 100); }
};
struct Strip : Shape {
  int length;
  explicit Strip(int length) : length(length) {}
  int area() const override { return length; }
};

int area_of(bool is_square, int size) {
  Shape *shape = is_square ? static_cast<Shape *>(new Square(size)) : new Strip(size);
  int area = is_square ? shape->area() : size;
  delete shape;
  return area;
}

int doubled(const Shape &shape) { return shape.area() / 2; }
