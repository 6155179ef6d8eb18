/* The next pointer is read from the freed node.
   expect: unsafe
   native: asan
   input: n=2 */
#include <stdlib.h>
#include "unfork.h"

struct node { struct node *next; };

int main(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_assume(n <= 2);
  struct node *head = 0;
  for (unsigned i = 0; i < n; i++) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = head;
    head = fresh;
  }
  while (head) {
    free(head);
    head = head->next; /* BUG: use-after-free */
  }
  return 0;
}
