/* Iterators of containers whose elements have moved or ended.
   expect: unsafe
   native: asan
   input: way=1
   input: way=2
   input: way=3
   input: way=4 */
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include "unfork.h"

int main() {
  int way;
  unfork_symbolic(&way, sizeof way, "way");
  switch (way) {
    case 1: {
      auto numbers = std::make_unique<std::deque<int>>(3, 1);
      auto first = numbers->begin();
      numbers.reset();
      return *first; /* BUG: use-after-free */
    }
    case 2: {
      std::unordered_map<int, int> squares{{2, 4}, {3, 9}};
      auto three = squares.find(3);
      squares.clear();
      return three->second; /* BUG: use-after-free */
    }
    case 3: {
      std::string word(30, 'a');
      auto last = word.end() - 1;
      word.append(300, 'b');
      *last = 'c'; /* BUG: use-after-free */
      return 0;
    }
    case 4: {
      std::string word(30, 'a');
      const char *text = word.c_str();
      word.reserve(1000);
      return text[0] == 'x'; /* BUG: use-after-free */
    }
  }
  return 0;
}
