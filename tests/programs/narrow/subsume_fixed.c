/* States with equal blocks under equal names cover each other: of 16 paths, two are left.
   expect: safe
   paths: 2
   options: --data-model ILP32 --prune subsume
   native: none (for 32 bits) */
#include <stdlib.h>
#include "unfork.h"

struct node { int value; struct node *next; };

int main(void) {
  struct node *head = NULL;
  int sum = 0, unused = 0;
  for (int i = 0; i < 4; i++) {
    int more;
    unfork_symbolic(&more, sizeof more, "more");
    struct node *next = malloc(sizeof *next);
    next->value = i;
    next->next = head;
    head = next;
    if (more) unused++;
    unused = 0;
    unfork_subsume(1);
  }
  while (head) {
    struct node *next = head->next;
    sum += head->value;
    free(head);
    head = next;
  }
  unfork_check(sum == 6);
  return unused;
}
