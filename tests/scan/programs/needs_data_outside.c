/* The data may not lie in the struct itself.
   scan: conditional invalid-free 10 */
#include <stdlib.h>
struct buffer {
  unsigned char *data;
  unsigned char small[8];
};

void end(struct buffer *buffer) {
  free(buffer->data);
}
