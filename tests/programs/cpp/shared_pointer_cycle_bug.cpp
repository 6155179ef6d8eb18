/* Two objects that keep each other.
   expect: unsafe
   options: --check leak
   native: asan
   input: x=1 */
#include <memory>
#include "unfork.h"

struct Node {
  std::shared_ptr<Node> other;
};

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  std::shared_ptr<Node> first(new Node), second(new Node); /* BUG: leak */
  first->other = second;
  if (x == 1) second->other = first;
  return 0;
}
