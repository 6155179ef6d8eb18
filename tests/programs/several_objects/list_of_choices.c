/* expect: safe
   native: asan */
#include <assert.h>
#include <stddef.h>
#include "unfork.h"

struct node { struct node *next; int value; };

int main(void) {
  struct node nodes[3] = {{0, 1}, {0, 2}, {0, 4}}, *head = 0;
  unsigned mask;
  unfork_symbolic(&mask, sizeof mask, "mask");
  mask &= 7;
  for (int i = 0; i < 3; i++)
    if (mask >> i & 1) {
      nodes[i].next = head;
      head = &nodes[i];
    }
  unsigned sum = 0;
  for (struct node *n = head; n; n = n->next) sum += (unsigned)n->value;
  assert(sum == mask);
  return 0;
}
