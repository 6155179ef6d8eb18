/* expect: unsafe
   After the loops are joined, the oldest node is gone on each side, under another condition on each.
   native: asan
   input: n=2 */
#include <stdlib.h>
#include "unfork.h"

struct node { struct node *next; int value; };

int main(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_assume(n >= 1 && n <= 3);
  struct node *head = 0, *oldest = 0;
  for (unsigned i = 0; i < n; i++) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = head;
    fresh->value = (int)i;
    head = fresh;
    if (!oldest) oldest = fresh;
  }
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return oldest->value; /* BUG: use-after-free */
}
