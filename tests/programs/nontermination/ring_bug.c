/* A list whose last node leads into its middle, on one path.
   expect: unsafe
   paths: 2
   options: --check nontermination
   native: none (it does not end) */
#include "unfork.h"
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node *first = 0, *last = 0;
  for (int i = 0; i < 5; i++) {
    struct node *one = malloc(sizeof *one);
    one->value = i;
    one->next = first;
    if (!first)
      last = one;
    first = one;
  }
  char closed;
  unfork_symbolic(&closed, 1, "closed");
  if (closed)
    last->next = first->next->next;
  for (struct node *one = first; one; one = one->next) { /* BUG: nontermination */
  }
  return 0;
}
