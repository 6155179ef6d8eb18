/* A pointer to a pointer may lead into a node that is known already: here to its own link.
   expect: unsafe
   options: --function pop --max-objects 4
   native: none (a function that is run alone) */
#include <stddef.h>
#include "unfork.h"

struct node { int elem; struct node *next; };

int pop(struct node *l, struct node **head) {
  if (!l || !head || *head != l) return 0;
  int elem = l->elem;
  *head = NULL;
  if (head == &l->next) unfork_check(elem != 5); /* BUG: assert */
  return elem;
}
