/* A node is read after it was freed, through a pointer in memory.
   expect: unsafe
   options: --data-model ILP32
   native: none (for 32 bits) */
#include <stdlib.h>
#include "unfork.h"

struct node { int value; struct node *next; };

int main(void) {
  int keep;
  unfork_symbolic(&keep, sizeof keep, "keep");
  struct node *first = malloc(sizeof *first), *second = malloc(sizeof *second);
  second->value = 7;
  second->next = NULL;
  first->next = second;
  if (!keep) free(second);
  int value = first->next->value; /* BUG: use-after-free */
  free(first);
  if (keep) free(second);
  return value == 7;
}
