/* Tuples, pairs and structured bindings of them, of arrays and of classes.
   expect: safe
   native: asan */
#include <algorithm>
#include <cassert>
#include <string>
#include <tuple>
#include <utility>
#include "unfork.h"

struct Point {
  int x, y;
};

static std::tuple<int, std::string, char> made(int x) { return {x, "name", 'c'}; }

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  unfork_assume(x < 1000);
  auto [number, name, letter] = made(x);
  assert(number == x && name == "name" && letter == 'c');
  Point point{x, 2};
  auto &[horizontal, vertical] = point;
  vertical = 7;
  assert(point.y == 7 && horizontal == x);
  int array[] = {1, x};
  const auto &[one, two] = array;
  assert(one == 1 && &two == &array[1]);
  int least;
  std::tie(least, std::ignore) = std::minmax(x, 5);
  assert(least == (x < 5 ? x : 5));
  assert(std::make_tuple(1, x) < std::make_tuple(1, x + 1));
  assert(std::apply([](int first, int second) { return first - second; }, std::pair(x, x)) == 0);
  return 0;
}
