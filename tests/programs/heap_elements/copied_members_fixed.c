/* Members of elements at a known and at an unknown place are copied and compared.
   expect: safe
   options: --function mix
   native: none (a function that is run alone) */
#include <assert.h>
#include <string.h>

struct pair {
    long x, y;
};
struct entry {
    struct pair a, b;
    struct entry *next;
};

void mix(struct entry *table, unsigned j)
{
    if (!table || j >= 3)
        return;
    struct entry *next = table[j].next;
    if (j == 0)
        assert(memcmp(&table[0], &table[j], sizeof(struct pair)) == 0);
    table[j].a = table[0].b;
    if (j == 0)
        assert(table[j].a.x == table[j].b.x);
    table[j] = table[1];
    if (j == 1)
        assert(table[1].next == next);
    assert(table[j].b.y == table[1].b.y);
}
