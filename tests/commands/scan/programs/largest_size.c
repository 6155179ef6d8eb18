/* scan: likely out-of-bounds 12
   Five bytes in front of four gigabytes: the sum wraps, but nobody has so much to write. */
#include <stddef.h>
#include <stdint.h>

/* Writes the mark in front of what a caller puts behind it; null if there is no room for both. */
unsigned char *begin_block(unsigned char *to, uint32_t size, uint32_t bytes_behind)
{
    if (to == NULL || bytes_behind < 65536)
        return NULL;
    if (size < bytes_behind + 5) return NULL;
    to[0] = 26;
    return to + 5;
}
