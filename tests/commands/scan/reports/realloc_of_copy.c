/* A second variable takes the result.

   report: not reachable
*/
#include <stdlib.h>
struct buffer {
    unsigned char *bytes;
    size_t room;
};
int buffer_init(struct buffer *buffer, int is_large)
{
    unsigned char *bytes = malloc(16);
    if (bytes == NULL)
        return -1;
    buffer->room = 16;
    if (is_large) {
        unsigned char *larger = realloc(bytes, 64);
        if (larger == NULL) {
            free(bytes);
            return -1;
        }
        bytes = larger;
        buffer->room = 64;
    }
    buffer->bytes = bytes;
    return 0;
}
