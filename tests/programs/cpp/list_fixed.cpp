/* expect: safe
   options: --check leak
   native: asan */
#include <cassert>
#include <forward_list>
#include <iterator>
#include <list>
#include "unfork.h"

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  std::list<int> list{3, x, 2};
  list.sort();
  assert(list.front() <= *std::next(list.begin()) && *std::next(list.begin()) <= list.back());
  list.remove(2);
  assert(list.size() == (x == 2 ? 1 : 2));
  std::list<int> other{7, 8};
  list.splice(list.end(), other, other.begin());
  assert(list.back() == 7 && other.size() == 1);
  std::forward_list<int> forward{1, 2};
  forward.push_front(x);
  assert(std::distance(forward.begin(), forward.end()) == 3);
  return 0;
}
