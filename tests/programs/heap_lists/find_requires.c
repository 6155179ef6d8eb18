/* Anand06, Fig. 1, on acyclic lists that are not empty: the predicate is consulted while the list is made.
   expect: bounded
   paths: 6
   options: --function find --requires acyclic --max-objects 3
   native: none (a function that is run alone) */
#include <stdbool.h>
#include <stddef.h>

struct node { int elem; struct node *next; };

bool acyclic(struct node *l, int v) {
  if (l == NULL) return false;
  for (const struct node *p = l; p != NULL; p = p->next)
    for (const struct node *q = l;; q = q->next) {
      if (p->next == q) return false;
      if (q == p) break;
    }
  return true;
}

struct node *find(struct node *l, int v) {
  struct node *n = l;
  while (n != NULL) {
    if (n->elem > v) return n;
    n = n->next;
  }
  return NULL;
}
