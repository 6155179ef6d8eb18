/* Structs of an array at unknown places, of a size that is no power of two; a pointer to one; a member that is written.
   expect: safe
   options: --function link
   native: none (a function that is run alone) */
#include <assert.h>

struct part {
    const char *name;
    int count;
    struct part *next;
    short flags;
};
struct kit {
    struct part *parts;
    int last;
};

void link(struct kit *kit, int i, int j)
{
    if (!kit || !kit->parts || i < 0 || j < 0 || i > 20 || j > 20)
        return;
    struct part *one = &kit->parts[i];
    int before = kit->parts[j].count;
    one->count = 7;
    one->next = one;
    assert(kit->parts[j].count == (i == j ? 7 : before));
    kit->parts[j].next = 0;
    assert(one->next == (i == j ? 0 : one));
    if (j == i + 1)
        assert(&one[1] == &kit->parts[j] && one[1].next == 0);
}
