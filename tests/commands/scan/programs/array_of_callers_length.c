/* scan: conditional out-of-bounds 7
   scan: certain out-of-bounds 14
   An array has as many elements as the caller says: that there are some is the caller's business, unless it is tested. */
#include <string.h>
int all_of(int what, int most)
{
    int copies[most];
    memset(copies, what, sizeof copies);
    return most > 64 ? copies[64] : copies[0];
}
int first_of(const int *from, int most)
{
    if (from == NULL || most < 0 || most > 64) return -1;
    int copy[most];
    memcpy(copy, from, sizeof copy);
    return copy[0];
}
