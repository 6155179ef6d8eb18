/* With --fail the allocation may return NULL, of which nobody thought.
   options: --fail 1
   scan: certain null-dereference 8 */
#include <stdlib.h>

int *boxed(int value) {
  int *box = malloc(sizeof *box);
  *box = value;
  return box;
}
