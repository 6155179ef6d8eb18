/* An element at an unknown place was read, and then all are copied: the test has what was read of it.
   expect: unsafe
   options: --function ranked
   native: none (a function that is run alone) */
#include <string.h>

struct entry {
    struct entry *next;
    int rank;
};

int ranked(struct entry *table, unsigned i)
{
    struct entry copy[3];
    if (!table || i >= 3 || table[i].rank != 12345)
        return 0;
    memcpy(copy, table, sizeof copy);
    return copy[i].next->rank; /* BUG: null-dereference */
}
