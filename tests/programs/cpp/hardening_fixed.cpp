/* The library used right with its assertions on: std::string out of the headers, iterators that know their container.
   expect: safe
   options: --check memory,div,hardening --cflags -std=c++20
   native: asan -D_GLIBCXX_ASSERTIONS -std=c++20 */
#include <algorithm>
#include <cassert>
#include <iostream>
#include <map>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>
#include "unfork.h"

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x >= 0 && x < 3);
  std::vector<int> numbers{3, x, 2};
  std::sort(numbers.begin(), numbers.end(), [](int a, int b) { return a > b; });
  assert(numbers.front() == 3 && numbers[1] == 2 && *(numbers.end() - 1) <= 2);
  std::string word = "value " + std::to_string(numbers.back());
  word.insert(word.begin(), '<');
  word.append(">").replace(1, 5, "x");
  assert(word.size() == 5 && word.find(' ') == 2 && std::string_view(word).substr(4)[0] == '>');
  std::ostringstream stream;
  for (int number : std::span(numbers).subspan(1)) stream << number << ' ';
  std::map<std::string, std::optional<int>> known{{stream.str(), x}};
  std::cout << known.begin()->first << *known.begin()->second << '\n';
  assert(*known.at(stream.str()) == x);
  return 0;
}
