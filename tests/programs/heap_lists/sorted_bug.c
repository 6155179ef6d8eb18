/* The predicate is about numbers too: a sorted list ends with its greatest element, and its first may be negative.
   expect: unsafe
   options: --function last --requires sorted --max-objects 3
   native: none (a function that is run alone) */
#include <stddef.h>
#include "unfork.h"

struct node { int elem; struct node *next; };

int sorted(struct node *l) {
  int count = 0;
  for (; l != NULL; l = l->next) {
    if (++count > 3) return 0;
    if (l->next != NULL && l->elem > l->next->elem) return 0;
  }
  return 1;
}

int last(struct node *l) {
  if (l == NULL) return 0;
  int first = l->elem;
  while (l->next != NULL) l = l->next;
  unfork_check(first <= l->elem);
  unfork_check(first >= 0); /* BUG: assert */
  return l->elem;
}
