/* A struct that turns out to be the front of a larger one, after an element of its array was met.
   expect: safe
   options: --function grow
   native: none (a function that is run alone) */
#include <assert.h>
#include <stddef.h>

struct plain {
    int kind;
    int *slots[6];
};
struct larger {
    struct plain plain;
    int *extra[6];
};

void grow(struct plain *plain, unsigned i, int *mark)
{
    if (!plain || i >= 6)
        return;
    int *one = plain->slots[i];
    struct larger *larger = (struct larger *)plain;
    larger->extra[i] = mark;
    assert(plain->slots[i] == one && larger->plain.slots[i] == one);
    larger->plain.slots[2] = mark;
    assert(plain->slots[i] == (i == 2 ? mark : one) && larger->extra[i] == mark);
}
