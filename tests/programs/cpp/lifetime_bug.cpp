/* Objects that are used when their lives have ended: in another way for each input.
   expect: unsafe
   native: asan
   input: way=1
   input: way=2
   input: way=3
   input: way=4
   input: way=5
   input: way=6 */
#include <algorithm>
#include <new>
#include <string>
#include "unfork.h"

struct Box {
  int value;
  explicit Box(int value) : value(value) {}
  ~Box() { value = 0; }
};

const int &smallest() {
  int local = 3;
  const int &alias = local;
  return alias;
}

int of_last_turn() {
  const Box *previous = nullptr;
  int sum = 0;
  for (int i = 0; i < 2; i++) {
    if (previous) sum += previous->value; /* BUG: use-after-free */
    Box box(i);
    previous = &box;
  }
  return sum;
}

void destroyed_twice() {
  std::string text(40, 'a');
  text.~basic_string();
} /* BUG: double-free */

int main() {
  int way;
  unfork_symbolic(&way, sizeof way, "way");
  switch (way) {
    case 1:
      return smallest(); /* BUG: use-after-free */
    case 2:
      return of_last_turn();
    case 3:
      destroyed_twice();
      return 0;
    case 4: {
      const std::string &least = std::min(std::string(40, 'a'), std::string(40, 'b'));
      return least[0] == 'x'; /* BUG: use-after-free */
    }
    case 5: {
      unsigned char *storage = new unsigned char[sizeof(Box)];
      Box *box = new (storage) Box(5);
      box->~Box();
      delete[] storage;
      return box->value; /* BUG: use-after-free */
    }
    case 6: {
      auto counter = [] {
        int count = 0;
        return [&count] { return ++count; }; /* BUG: use-after-free */
      }();
      return counter();
    }
  }
  return 0;
}
