/* The caller has more paths than time, but none of them comes back to the call.

   finds: out-of-bounds at 9: excluded
   finds: null-dereference at 17: conditional
*/
#include "lib.h"

static const int weights[4] = {1, 2, 3, 4};
static int weight(unsigned kind) { return kind <= 4 ? weights[kind] : 0; }
int hash_of(const char *text, unsigned kind)
{
    unsigned hash;
    int odd = 0;
    if (kind > 3)
        return -1;
    hash = (unsigned)weight(kind);
    for (; *text; text++) {
        hash = hash * 31 + (unsigned char)*text;
        if ((hash ^ (hash >> 7)) % 13 == 4)
            odd++;
        if ((hash ^ (hash >> 5)) % 11 == 3)
            odd--;
    }
    return odd;
}
