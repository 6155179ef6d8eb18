/* Whoever calls with a shape that is no strip has not read what the function is for.
   scan: conditional null-dereference 15 */
struct Shape {
  virtual ~Shape() {}
};
struct Strip : Shape {
  int length = 1;
};
struct Dot : Shape {};

Shape *make(bool is_strip) { return is_strip ? static_cast<Shape *>(new Strip) : new Dot; }

int length(Shape &shape) {
  Strip *strip = dynamic_cast<Strip *>(&shape);
  return strip->length;
}
