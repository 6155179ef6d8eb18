/* What is freed must be the beginning of a block.
   scan: conditional null-dereference 8 */
#include <stdlib.h>

struct text { char *bytes; };

void clear(struct text *t) {
  free(t->bytes);
  t->bytes = NULL;
}
