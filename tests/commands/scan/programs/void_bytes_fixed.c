/* The same with a test for all three, and a copy into a block with room for one more byte: nothing fails.
   scan: nothing */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct buffer { unsigned char *data; size_t used; };

unsigned first_three(const void *data, size_t length) {
  const uint8_t *at = data;
  return length < 3 ? 0 : (unsigned)at[0] << 16 | (unsigned)at[1] << 8 | at[2];
}

int set(struct buffer *buffer, const void *data, size_t length) {
  unsigned char *grown = realloc(buffer->data, length + 1);
  if (grown == NULL)
    return -1;
  buffer->data = grown;
  memcpy(grown, data, length);
  grown[length] = 0;
  buffer->used = length;
  return 0;
}
