/* scan: certain out-of-bounds 12
   Sixteen bytes for each item: the product wraps for 2^28 of them, which a header may state. */
#include <stdint.h>
#include <stddef.h>

/* Clears the first item of those that follow, if there is room for all. */
int clear_items(unsigned char *to, uint32_t size, uint32_t count)
{
    if (to == NULL || count == 0)
        return 0;
    if (size < count * 16) return -1;
    to[15] = 0;
    return 1;
}
