/* expect: safe
   options: --check leak
   native: asan */
#include <assert.h>
#include <stdlib.h>
#include "unfork.h"

struct node { struct node *next; int value; };

int main(void) {
  unsigned n;
  unfork_symbolic(&n, sizeof n, "n");
  unfork_assume(n <= 3);
  struct node *head = 0;
  for (unsigned i = 0; i < n; i++) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = head;
    fresh->value = (int)i;
    head = fresh;
  }
  unsigned count = 0;
  while (head) {
    struct node *next = head->next;
    count++;
    free(head);
    head = next;
  }
  assert(count == n);
  return 0;
}
