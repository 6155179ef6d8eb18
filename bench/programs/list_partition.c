/* Takes all nodes above v out of a list (Anand06, Figure 7). With BUG defined, its last node is not taken out.

   expect: bounded
   paths: 25
   options: --function partition --requires acyclic --prune subsume --abstract list --libc none
   native: none (no main)
*/
#include "unfork.h"

struct node {
  int elem;
  struct node *next;
};

/* The precondition. */
int acyclic(struct node *l, int v) {
  struct node *slow = l, *fast = l;
  while (fast && fast->next) {
    slow = slow->next;
    fast = fast->next->next;
    if (slow == fast)
      return 0;
  }
  return 1;
}

struct node *partition(struct node *l, int v) {
  struct node *prev = 0, *newl = 0, *curr = l;
  while (curr != 0) {
    unfork_subsume(1);
    struct node *next = curr->next;
    if (curr->elem > v) {
#ifdef BUG
      if (prev != 0 && next != 0)
#else
      if (prev != 0)
#endif
        prev->next = next;
      if (curr == l)
        l = next;
      curr->next = newl;
      newl = curr;
    } else {
      prev = curr;
    }
    curr = next;
  }
  for (struct node *n = l; n != 0; n = n->next)
    unfork_check(n->elem <= v);
  return newl;
}
