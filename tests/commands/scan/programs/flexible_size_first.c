/* The size counts what follows the struct: that is how blocks are made, with the size of the struct in front.
   scan: conditional out-of-bounds 10 */
#include <stdlib.h>
struct buffer { unsigned used, size; unsigned char data[]; };

int append(struct buffer *buffer, unsigned char byte)
{
    if (buffer == NULL || buffer->used > buffer->size)
        return -1;
    buffer->data[buffer->used++] = byte;
    return 0;
}

struct buffer *buffer_new(unsigned size)
{
    if (size < 4 || size > 64)
        return NULL;
    struct buffer *buffer = malloc(sizeof *buffer + size);
    if (buffer == NULL)
        return NULL;
    buffer->used = 0;
    buffer->size = size;
    return buffer;
}
