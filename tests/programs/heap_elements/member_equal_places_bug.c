/* A place of a member array that is cleared may be that of the other element, too.
   expect: unsafe
   options: --function move
   native: none (a function that is run alone) */
#include <stddef.h>

struct item {
    int key;
};
struct pool {
    int count;
    struct item *slots[40];
};

int move(struct pool *pool, unsigned from, unsigned to)
{
    if (!pool || from >= 40 || to >= 40 || !pool->slots[from])
        return 0;
    pool->slots[to] = pool->slots[from];
    pool->slots[from] = NULL;
    return pool->slots[to]->key; /* BUG: null-dereference */
}
