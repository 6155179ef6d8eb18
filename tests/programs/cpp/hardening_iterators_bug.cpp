/* Iterators out of their containers, and comparisons that do not order: what libstdc++'s assertions do not see.
   expect: unsafe
   options: --check memory,div,hardening
   native: none */
#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>
#include "unfork.h"

int main() {
  int way;
  unfork_symbolic(&way, sizeof way, "way");
  std::vector<int> numbers{3, 1, 2};
  switch (way) {
    case 1: {
      std::string word("abc");
      return *word.end(); /* BUG: hardening */
    }
    case 2:
      std::sort(numbers.begin(), numbers.end(), [](int a, int b) { return a <= b; }); /* BUG: hardening */
      return 0;
    case 3: {
      std::string word("abc");
      word.erase(word.end()); /* BUG: hardening */
      return 0;
    }
    case 4: {
      std::unordered_map<int, int> none;
      return none.find(4)->second; /* BUG: hardening */
    }
  }
  return 0;
}
