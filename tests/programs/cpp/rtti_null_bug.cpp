/* A cast to a class that the object is not of is null.
   expect: unsafe
   native: asan
   input: x=1 */
#include "unfork.h"

struct Animal { virtual ~Animal() = default; };
struct Dog : Animal { int age = 3; };
struct Cat : Animal {};

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  Dog dog;
  Cat cat;
  Animal *animal = &dog;
  if (x == 1) animal = &cat;
  return dynamic_cast<Dog *>(animal)->age == 5; /* BUG: null-dereference */
}
