/* Two states differ in what a pointer in memory leads to alone: what was learnt of one does not hold of the other.
   expect: unsafe
   options: --data-model ILP32 --prune interpolate
   native: none (for 32 bits) */
#include <stdlib.h>
#include "unfork.h"

struct node { int value; struct node *next; };

static struct node *node(int value, struct node *next) {
  struct node *made = malloc(sizeof *made);
  if (!made) exit(0);
  made->value = value;
  made->next = next;
  return made;
}

int main(void) {
  int which, sum = 0;
  unfork_symbolic(&which, sizeof which, "which");
  struct node *last = node(2, NULL), *middle = node(1, last), *head = node(0, middle);
  if (which & 1) head->next = last;
  if (which & 2) sum++;
  for (struct node *at = head; at; at = at->next) sum += at->value;
  if (which & 4) sum--;
  unfork_check(sum != 3 || head->next != last); /* BUG: assert */
  unfork_check(head->next->next == last || head->next == last);
  free(last);
  free(middle);
  free(head);
  return 0;
}
