/* Anand06, Fig. 1: no null pointer is followed in any list of up to three nodes.
   expect: bounded
   options: --function find --max-objects 3
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

struct node *find(struct node *l, int v) {
  UNFORK_REQUIRES(l != NULL);
  UNFORK_REQUIRES(acyclic(l));
  struct node *n = l;
  while (n != NULL) {
    if (n->elem > v) return n;
    n = n->next;
  }
  return NULL;
}
