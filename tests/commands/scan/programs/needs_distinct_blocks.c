/* Only where both texts share a block is a freed one written.
   scan: conditional null-dereference 9
   scan: conditional use-after-free 11 */
#include <stdlib.h>

struct text { char *bytes; };

void take_over(struct text *to, struct text *from) {
  free(to->bytes);
  to->bytes = NULL;
  if (from->bytes != NULL) from->bytes[0] = 'x';
}
