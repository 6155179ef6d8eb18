/* The caller has more paths than time; the call that fails comes after its loop.

   finds: out-of-bounds at 9: certain by hash_of
   finds: null-dereference at 13: conditional by hash_of
*/
#include "lib.h"

static const int weights[4] = {1, 2, 3, 4};
static int weight(unsigned kind) { return kind <= 4 ? weights[kind] : 0; }
int hash_of(const char *text, unsigned kind)
{
    unsigned hash = 7, odd = 0;
    for (; *text; text++) {
        hash = hash * 31 + (unsigned char)*text;
        if ((hash ^ (hash >> 7)) % 13 == 4)
            odd++;
        if ((hash ^ (hash >> 5)) % 11 == 3)
            odd--;
    }
    if (odd != 0 || kind > 4)
        return -1;
    return weight(kind);
}
