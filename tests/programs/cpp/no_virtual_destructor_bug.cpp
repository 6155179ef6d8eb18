/* The destructor of the derived class does not run: what it would free is lost.
   expect: unsafe
   options: --check leak
   native: asan
   input: x=2 */
#include "unfork.h"

struct Base {
  int *data = nullptr;
  int tag = 1;
};
struct Derived : Base {
  Derived() { data = new int(5); } /* BUG: leak */
  ~Derived() { delete data; }
};

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  Derived *object = new Derived;
  if (x == 2) {
    Base *base = object;
    delete base;
  } else {
    delete object;
  }
  return 0;
}
