/* The last bytes of a buffer of any size say what it holds.

   expect: safe
   options: --strategy plain --function kind_of --lengths measured --sizes pair
   paths: 6
*/
#include <stddef.h>

int kind_of(const unsigned char *data, size_t size)
{
    if (!data || size < 8)
        return -1;
    if (data[size - 1] != 'Z' || data[0] != 'A')
        return 0;
    return data[size - 4] > data[size - 3] ? data[size - 4] : data[size - 3];
}
