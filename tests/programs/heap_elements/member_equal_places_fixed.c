/* Elements of a member array at unknown places are one exactly if the places are equal; other members are apart.
   expect: safe
   options: --function swap
   native: none (a function that is run alone) */
#include <assert.h>
#include <stddef.h>

struct item {
    int key;
};
struct pool {
    struct item *first;
    struct item *slots[12];
    struct item *last;
};

void swap(struct pool *pool, unsigned i, unsigned j)
{
    if (!pool || i >= 12 || j >= 12)
        return;
    struct item *at_i = pool->slots[i], *at_j = pool->slots[j], *last = pool->last;
    if (i == j)
        assert(at_i == at_j);
    pool->slots[i] = NULL;
    assert(pool->slots[j] == (i == j ? NULL : at_j));
    pool->slots[7] = at_j;
    assert(pool->slots[i] == (i == 7 ? at_j : NULL));
    pool->first = at_i;
    assert(pool->slots[0] == (i == 0 ? NULL : pool->slots[0]) && pool->last == last);
    pool->slots[j] = at_i;
    assert(pool->slots[i] == (i == j ? at_i : i == 7 ? at_j : NULL));
}
