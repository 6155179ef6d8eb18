/* The block that is not freed is the caller's now.
   scan: nothing */
#include <stdlib.h>

struct text { char *bytes; unsigned long size; };

int allocate(struct text *t, unsigned char size) {
  if (t == NULL) return -1;
  t->size = size + 1ul;
  t->bytes = calloc(t->size, 1);
  return t->bytes == NULL ? -1 : 0;
}
