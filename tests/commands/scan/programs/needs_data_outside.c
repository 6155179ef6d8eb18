/* The data may not lie in the struct itself.
   scan: conditional invalid-free 14 */
#include <stdlib.h>
struct part {
  int number;
};
struct buffer {
  int size;
  struct part *data;
  struct part small;
};

void end(struct buffer *buffer) {
  free(buffer->data);
}
