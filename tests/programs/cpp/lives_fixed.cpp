/* Lives of objects that end by hand, in storage of all kinds, and pointers that are right again after a change.
   expect: safe
   native: asan */
#include <cassert>
#include <deque>
#include <memory>
#include <new>
#include <string>
#include <unordered_map>
#include "unfork.h"

struct Shape {
  virtual ~Shape() = default;
  virtual int area() const = 0;
};
struct Square : Shape {
  int side = 2;
  int area() const override { return side * side; }
};
struct Wide : Square {
  long more[4] = {};
  int area() const override { return side * 5; }
};

int main() {
  int way;
  unfork_symbolic(&way, sizeof way, "way");
  switch (way) {
    case 1: {
      Shape *wide = new Wide;
      assert(wide->area() == 10);
      delete wide;
      break;
    }
    case 2: {
      alignas(Wide) unsigned char storage[sizeof(Wide)];
      Shape *shape = new (storage) Square;
      shape->~Shape();
      shape = new (storage) Wide;
      assert(shape->area() == 10);
      shape->~Shape();
      break;
    }
    case 3: {
      std::string text(40, 'a');
      text.~basic_string();
      new (&text) std::string(50, 'b');
      assert(text.size() == 50);
      break;
    }
    case 4: {
      std::unique_ptr<Square> owner(new Square);
      std::unique_ptr<Square> other(owner.release());
      assert(!owner && other->area() == 4);
      break;
    }
    case 5: {
      std::deque<int> numbers{1, 2, 3};
      numbers.clear();
      numbers.shrink_to_fit();
      numbers.push_back(4);
      assert(*numbers.begin() == 4);
      break;
    }
    case 6: {
      std::unordered_map<int, int> squares{{2, 4}};
      int &four = squares[2];
      for (int i = 3; i < 20; i++) squares[i] = i * i;
      assert(four == 4);
      break;
    }
    case 7:
      ::operator delete(::operator new(24), std::size_t(24));
      ::operator delete[](::operator new[](24, std::align_val_t(64)), std::size_t(24), std::align_val_t(64));
      break;
  }
  return 0;
}
