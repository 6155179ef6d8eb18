/* Fails for a list whose second value is larger than its first. Nothing looks at what comes behind. */
#include "unfork.h"

struct node {
  int value;
  struct node *next;
};

void falling(struct node *list) {
  if (list && list->next)
    unfork_check(list->next->value <= list->value);
}
