/* A null pointer that was thrown is caught as such, and used.
   expect: unsafe
   native: asan
   input: x=0 */
#include "unfork.h"

struct Node { int value; };

int main() {
  int x;
  unfork_symbolic(&x, sizeof x, "x");
  Node node{x};
  try {
    throw x ? &node : static_cast<Node *>(nullptr);
  } catch (const Node *caught) {
    return caught->value == 3; /* BUG: null-dereference */
  }
}
