/* Anand06, Fig. 7: nodes whose element is greater than v move to another list. The last node stays although its element is too large.
   expect: unsafe
   options: --function check_partition --max-objects 3
   native: none (a function that is run alone) */
#include <stddef.h>
#include "unfork.h"

struct node { int elem; struct node *next; };

static int acyclic(const struct node *l) {
  for (const struct node *p = l; p != NULL; p = p->next)
    for (const struct node *q = l;; q = q->next) {
      if (p->next == q) return 0;
      if (q == p) break;
    }
  return 1;
}

struct node *partition(struct node **l, int v) {
  struct node *curr = *l, *prev = NULL, *newl = NULL;
  while (curr != NULL) {
    struct node *next = curr->next;
    if (curr->elem > v) {
      if (prev != NULL && next != NULL) prev->next = next;
      if (curr == *l) *l = next;
      curr->next = newl;
      newl = curr;
    } else {
      prev = curr;
    }
    curr = next;
  }
  return newl;
}

void check_partition(struct node *l, int v) {
  UNFORK_REQUIRES(acyclic(l));
  partition(&l, v);
  for (; l != NULL; l = l->next)
    unfork_check(l->elem <= v); /* BUG: assert */
}
