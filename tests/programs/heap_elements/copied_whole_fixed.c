/* Structs with elements at unknown places are copied, compared and cleared as a whole; text beside them is not.
   expect: safe
   options: --function copy
   native: none (a function that is run alone) */
#include <assert.h>
#include <string.h>

struct pool {
    char name[8];
    struct pool *slots[3];
};

void copy(struct pool *from, unsigned i)
{
    struct pool to;
    if (!from || i >= 3)
        return;
    struct pool *one = from->slots[i];
    strcpy(from->name, "pool");
    assert(from->slots[i] == one);
    memcpy(&to, from, sizeof to);
    assert(to.slots[i] == one && from->slots[i] == one);
    to = *from;
    assert(to.slots[i] == one && memcmp(to.name, "pool", 5) == 0);
    memset(from->slots, 0, sizeof from->slots);
    assert(!from->slots[i]);
}
