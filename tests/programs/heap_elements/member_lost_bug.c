/* A block that only an element of a member array at an unknown place leads to is lost with the struct.
   expect: unsafe
   options: --function replace --check leak
   native: none (a function that is run alone) */
#include <stdlib.h>

struct pool {
    int count;
    int *slots[20];
};

void replace(struct pool *pool, unsigned i, int ends)
{
    if (!pool || i >= 20)
        return;
    pool->slots[i] = malloc(sizeof(int)); /* BUG: leak */
    if (ends)
        free(pool);
}
