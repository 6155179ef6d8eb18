/* scan: certain out-of-bounds 18
   scan: certain out-of-bounds 35
   scan: certain out-of-bounds 36
   A struct by value with nothing but bytes and their size says how many there are, as two arguments do. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct slice { const char *data; size_t length; };

struct slice slice_of(const char *text) { return (struct slice){text, strlen(text)}; }

/* The second character may not be there. */
bool is_above(struct slice path)
{
    if (path.data == NULL || path.length == 0) return false;
    return path.data[0] == '.' && path.data[1] == '.';
}

bool is_equal(struct slice one, struct slice other)
{
    if (one.data == NULL || other.data == NULL) return one.data == other.data;
    return one.length == other.length && memcmp(one.data, other.data, one.length) == 0;
}

struct packet { uint8_t *bytes; uint32_t size; };

/* An address is four bytes, and its port two more. */
int port_of(struct packet packet)
{
    uint8_t high;
    if (packet.bytes == NULL || packet.size < 4)
        return 0;
    high = packet.bytes[4];
    return high << 8 | packet.bytes[5];
}
