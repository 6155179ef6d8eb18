/* A block that only an element at an unknown place leads to is lost with the array.
   expect: unsafe
   options: --function replace --check leak
   native: none (a function that is run alone) */
#include <stdlib.h>

struct item {
    int key;
};

void replace(struct item **items, unsigned i, int ends)
{
    if (!items || i >= 50)
        return;
    items[i] = malloc(sizeof **items); /* BUG: leak */
    if (ends)
        free(items);
}
