/* Objects of many pages, on the heap, on the stack and static, and pointers into their middle.
   expect: safe
   options: --data-model ILP32
   native: none (for 32 bits) */
#include <assert.h>
#include <stdlib.h>
#include "unfork.h"

static char area[70000], *inside = area + 60000;
struct block { char data[5000]; struct block *next; };

int main(void) {
  unsigned i;
  unfork_symbolic(&i, sizeof i, "i");
  if (i >= 5000) return 0;
  char local[3000], *ends[4] = {local + 2999, area, inside, area + 70000};
  struct block *first = malloc(sizeof *first), *second = malloc(sizeof *second);
  first->next = second;
  second->next = first;
  char *volatile at = &first->next->data[i];
  *at = 1;
  *ends[0] = 2;
  *ends[2] = 3;
  assert(second->data[i] == 1 && local[2999] == 2 && area[60000] == 3 && ends[3] - ends[1] == 70000);
  assert(second->next->next == second && second->next != second);
  free(first);
  free(second);
  return 0;
}
