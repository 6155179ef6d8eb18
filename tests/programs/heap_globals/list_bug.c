/* A list in a variable, of any shape: a node may lead back to the variable that is one itself, and a text ends nowhere.
   expect: unsafe
   options: --function length --globals symbolic --max-objects 2 --all-errors
   native: none (a function that is run alone) */
#include <stddef.h>
#include "unfork.h"

struct node { int elem; const struct node *next; };

static struct node first;
const struct node *head;
char name[4];
static int (*visit)(int) = NULL;
int (*table[2])(int);

int twice(int x) { return x < 10 ? 2 * x : 0; }

int length(void) {
  table[0] = twice;
  if (head == &first && first.elem == 7 && first.next == head) unfork_check(name[3] != 'x'); /* BUG: assert */
  if (visit == twice) unfork_check(visit(name[0]) != 6); /* BUG: assert */
  return head != NULL && head->next == NULL;
}
