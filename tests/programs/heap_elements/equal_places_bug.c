/* A place that is cleared may be that of the other element, too.
   expect: unsafe
   options: --function move
   native: none (a function that is run alone) */
#include <stddef.h>

struct item {
    int key;
};

int move(struct item **items, unsigned from, unsigned to)
{
    if (!items || from >= 100 || to >= 100 || !items[from])
        return 0;
    items[to] = items[from];
    items[from] = NULL;
    return items[to]->key; /* BUG: null-dereference */
}
