/* The function fails before it has read the list: the test still holds a list that the predicate accepts.
   expect: unsafe
   options: --function early --requires two_sevens
   native: none (a function that is run alone) */
#include <stddef.h>
#include "unfork.h"

struct node { int elem; struct node *next; };

int two_sevens(struct node *l) {
  return l != NULL && l->elem == 7 && l->next != NULL && l->next != l && l->next->elem == 7 && l->next->next == NULL;
}

int early(struct node *l) {
  unfork_check(l == NULL); /* BUG: assert */
  return 0;
}
