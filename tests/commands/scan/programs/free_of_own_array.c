/* An array in a struct is no block.
   scan: certain invalid-free 10 */
#include <stdlib.h>
struct buffer {
  char *data;
  char small[8];
};

void end(struct buffer *buffer) {
  free(buffer->small);
}
