/* A doubly linked list that was given, walked to its end and counted: what was passed is folded.
   expect: bounded
   options: --function negatives --requires linked --abstract list
   native: none (no main) */
#include "unfork.h"

struct node {
  int value;
  struct node *next, *prev;
};

int linked(struct node *l) {
  if (l && l->prev)
    return 0;
  for (; l && l->next; l = l->next)
    if (l->next->prev != l)
      return 0;
  return 1;
}

int negatives(struct node *l) {
  struct node *first = l;
  int count = 0;
  for (; l; l = l->next)
    count += l->value < 0;
  unfork_check(!first || !first->prev);
  return count;
}
