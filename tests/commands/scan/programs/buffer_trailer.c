/* What stands near the end of a buffer is read there, whatever its size is.

   scan: certain out-of-bounds 14
   scan: certain out-of-bounds 24
*/
#include <stddef.h>

static const int weights[4] = {1, 2, 3, 4};
int of_trailer(const unsigned char *data, size_t size)
{
    if (size < 8 || data[size - 1] != 'Z' || data[0] != 'A')
        return 0;
    int kind = data[size - 4];
    return kind <= 4 ? weights[kind] : 0;
}
int of_record(const unsigned char *data, size_t size)
{
    if (size < 2)
        return 0;
    size_t start = data[0] | data[1] << 8;
    if (start >= size)
        return 0;
    unsigned char count = data[start];
    return start + count <= size && count ? data[start + count] : 0;
}
