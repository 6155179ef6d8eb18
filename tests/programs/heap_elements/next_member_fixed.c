/* An index just beyond a member array leads to the next member, as addresses go; the same one, as an element.
   expect: safe
   options: --function beyond
   native: none (a function that is run alone) */
#include <assert.h>
#include <stddef.h>

struct item {
    int key;
};
struct pool {
    struct item *slots[4];
    struct item *last;
};

void beyond(struct pool *pool, unsigned i, unsigned j)
{
    if (!pool || i > 4 || j >= 4)
        return;
    struct item *last = pool->last, *at_j = pool->slots[j];
    struct item **begin = (struct item **)pool;
    begin[i] = NULL;
    assert(pool->last == (i == 4 ? NULL : last));
    assert(pool->slots[j] == (i == j ? NULL : at_j));
}
