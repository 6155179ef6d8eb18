/* Lazily made blocks are on the heap: they may be freed, once.
   expect: unsafe
   options: --function drop_two --max-objects 3
   native: none (a function that is run alone) */
#include <stdlib.h>

struct node { int elem; struct node *next; };

void drop_two(struct node *l) {
  if (!l || !l->next) return;
  struct node *second = l->next;
  free(l);
  free(second); /* BUG: double-free */
}
