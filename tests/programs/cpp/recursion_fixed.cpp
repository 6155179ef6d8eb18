/* A tree that owns its nodes, and a recursive lambda.
   expect: safe
   options: --check leak
   native: asan */
#include <algorithm>
#include <cassert>
#include <functional>
#include <memory>
#include "unfork.h"

struct Tree {
  int value;
  std::unique_ptr<Tree> left, right;
  explicit Tree(int value) : value(value) {}
  void insert(int other) {
    auto &child = other < value ? left : right;
    if (child) child->insert(other);
    else child = std::make_unique<Tree>(other);
  }
};

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  Tree tree(5);
  tree.insert(2);
  tree.insert(x);
  std::function<int(const Tree &)> depth = [&](const Tree &node) {
    int below = 0;
    for (const Tree *child : {node.left.get(), node.right.get()})
      if (child) below = std::max(below, depth(*child));
    return below + 1;
  };
  assert(depth(tree) == (x < 5 ? 3 : 2));
  return 0;
}
