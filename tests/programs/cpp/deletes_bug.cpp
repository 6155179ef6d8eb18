/* What new made ends in another wrong way for each input.
   expect: unsafe
   native: asan
   input: way=1
   input: way=2
   input: way=3
   input: way=4
   input: way=5 */
#include <memory>
#include <new>
#include "unfork.h"

struct Plain {
  long one = 1;
};
struct Counted {
  static int alive;
  int value = 0;
  Counted() { alive++; }
  ~Counted() { alive--; }
};
int Counted::alive = 0;

void owned_twice() {
  std::unique_ptr<int> owner(new int(1));
  std::unique_ptr<int> other(owner.get());
} /* BUG: double-free */

void array_as_one() {
  std::unique_ptr<int> owner(new int[3]);
} /* BUG: invalid-free */

int main() {
  int way;
  unfork_symbolic(&way, sizeof way, "way");
  switch (way) {
    case 1: {
      Counted *items = new Counted[3];
      delete items; /* BUG: invalid-free */
      return 0;
    }
    case 2: {
      Counted *item = new Counted;
      delete[] item; /* BUG: out-of-bounds */
      return 0;
    }
    case 3:
      owned_twice();
      return 0;
    case 4:
      array_as_one();
      return 0;
    case 5: {
      std::unique_ptr<Plain> owner(new Plain);
      Plain *kept = owner.get();
      owner.release();
      owner.reset(kept);
      delete owner.get();
      owner.reset(); /* BUG: double-free */
      return 0;
    }
  }
  return 0;
}
