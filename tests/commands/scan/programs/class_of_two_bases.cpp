/* A number beyond seven has no name, which the function does not look at.
   scan: certain div-by-zero 15 */
struct Shape {
  virtual int area() const = 0;
};
struct Named {
  virtual int name() const = 0;
};
struct Both final : Shape, Named {
  int number;
  explicit Both(int number) : number(number) {}
  int area() const override { return number; }
  int name() const override { return number > 7 ? 0 : 2; }
};
static int rank(const Named &named) { return 10 / named.name(); }
int rank_of(int number) { return number > 3 && number < 100 ? rank(Both(number)) : 0; }
int rank_of_both(const Both &both) { return both.area() > 3 && both.area() < 100 ? rank(both) : 0; }
