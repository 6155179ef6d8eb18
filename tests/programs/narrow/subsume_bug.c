/* Two states differ in what a pointer in memory leads to alone: neither covers the other.
   expect: unsafe
   options: --data-model ILP32 --prune subsume
   native: none (for 32 bits) */
#include <stdlib.h>
#include "unfork.h"

struct node { int value; struct node *next; };

static struct node *node(int value, struct node *next) {
  struct node *made = malloc(sizeof *made);
  made->value = value;
  made->next = next;
  return made;
}

int main(void) {
  int which, deep;
  unfork_symbolic(&which, sizeof which, "which");
  unfork_symbolic(&deep, sizeof deep, "deep");
  struct node *first = node(1, NULL), *second = node(2, NULL), *head = node(0, NULL);
  if (which) head->next = first;
  else head->next = second;
  unfork_subsume(1);
  unfork_check(head->next->value == 1); /* BUG: assert */
  head->next = first;
  if (deep) first->value = deep;
  unfork_subsume(2);
  unfork_check(head->next->value == 1); /* BUG: assert */
  free(first);
  free(second);
  free(head);
  return 0;
}
