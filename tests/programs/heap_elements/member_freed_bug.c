/* An element at an unknown place of a member array is gone with the struct.
   expect: unsafe
   options: --function drop
   native: none (a function that is run alone) */
#include <stdlib.h>

struct pool {
    int count;
    struct pool *slots[20];
};

int drop(struct pool *pool, unsigned i, unsigned j)
{
    if (!pool || i >= 20 || j >= 20 || !pool->slots[i])
        return 0;
    pool->slots[i]->count = 3;
    free(pool);
    return pool->slots[j] != 0; /* BUG: use-after-free */
}
