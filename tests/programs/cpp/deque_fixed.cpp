/* expect: safe
   native: asan */
#include <cassert>
#include <deque>
#include <queue>
#include <stack>
#include "unfork.h"

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  std::deque<int> values;
  for (int i = 0; i < 3; i++) {
    values.push_back(i);
    values.push_front(x);
  }
  assert(values.size() == 6 && values.front() == x && values[3] == 0 && values.back() == 2);
  values.pop_front();
  assert(values[2] == 0);
  std::queue<int> queue(values);
  queue.pop();
  assert(queue.front() == x);
  std::priority_queue<int> heap;
  for (int value : {3, x, 1}) heap.push(value);
  assert(heap.top() == (x > 3 ? x : 3));
  std::stack<int> stack;
  stack.push(x);
  assert(stack.top() == x);
  return 0;
}
