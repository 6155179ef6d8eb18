/* A pointer may lead to a variable of its type, which is not on the heap.
   expect: unsafe
   options: --function drop --globals symbolic
   native: none (a function that is run alone) */
#include <stdlib.h>

struct node { int elem; };
struct node spare;

void drop(struct node *one) {
  if (one == &spare && spare.elem == 3) free(one); /* BUG: invalid-free */
}
