/* expect: safe
   options: --check leak
   native: asan */
#include <cassert>
#include <memory>
#include "unfork.h"

struct Node : std::enable_shared_from_this<Node> {
  static int alive;
  std::shared_ptr<Node> next;
  std::weak_ptr<Node> before;
  Node() { alive++; }
  ~Node() { alive--; }
};
int Node::alive;

int main() {
  unsigned char input;
  unfork_symbolic(&input, 1, "input");
  bool keeps = input & 1;
  std::shared_ptr<Node> kept;
  std::weak_ptr<Node> watched;
  {
    auto first = std::make_shared<Node>();
    first->next = std::shared_ptr<Node>(new Node);
    first->next->before = first;
    watched = first->next;
    assert(first.use_count() == 1 && first->next->before.lock() == first);
    if (keeps) kept = first->shared_from_this();
  }
  assert(watched.expired() == !keeps);
  assert(Node::alive == (keeps ? 2 : 0));
  return 0;
}
