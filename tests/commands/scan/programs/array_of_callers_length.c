/* scan: conditional out-of-bounds 7
   scan: certain out-of-bounds 18
   An array has as many elements as the caller says: that there are some is the caller's business, unless it is tested. */
#include <string.h>
int most_frequent(const unsigned char *from, int length, int most)
{
    int counts[most];
    int best = 0;
    if (from == NULL || most > 64) return -1;
    memset(counts, 0, sizeof counts);
    for (int at = 0; at < length; at++)
        if (from[at] < most && ++counts[from[at]] > counts[best]) best = from[at];
    return best;
}
int first_of(const int *from, int most)
{
    if (from == NULL || most < 0 || most > 64) return -1;
    int copy[most];
    memcpy(copy, from, sizeof copy);
    return copy[0];
}
