/* A plain struct has any values, and a list of them leads on, or back to itself.
   expect: unsafe
   options: --function sum --max-objects 2
   native: none (a function that is run alone) */
#include "unfork.h"

struct Node {
  int value;
  const Node *next;
};

int sum(const Node *node) {
  unsigned total = 0;
  for (int left = 3; node != nullptr && left > 0; node = node->next, left--) {
    unfork_check(node->value != 77); /* BUG: assert */
    total += (unsigned)node->value;
  }
  return (int)total;
}
