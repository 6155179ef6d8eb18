/* An array of structs in a struct: members at unknown and known places, of a size that is no power of two.
   expect: safe
   options: --function link
   native: none (a function that is run alone) */
#include <assert.h>

struct slot {
    const char *name;
    int count;
    struct slot *next;
};
struct pool {
    short kind;
    struct slot slots[9];
    struct slot *free;
};

void link(struct pool *pool, int i, int j)
{
    if (!pool || i < 0 || j < 0 || i >= 9 || j >= 9)
        return;
    struct slot *one = &pool->slots[i], *free = pool->free;
    int before = pool->slots[j].count;
    one->count = 7;
    one->next = free;
    assert(pool->slots[j].count == (i == j ? 7 : before));
    pool->free = one;
    pool->slots[j].next = 0;
    assert(one->next == (i == j ? 0 : free));
    pool->slots[2].count = 3;
    assert(one->count == (i == 2 ? 3 : 7) && pool->free == one);
    if (j == i + 1)
        assert(&one[1] == &pool->slots[j] && one[1].next == 0);
}
