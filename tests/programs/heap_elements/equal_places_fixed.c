/* Elements of an array of pointers at two unknown places are one exactly if the places are equal.
   expect: safe
   options: --function swap
   native: none (a function that is run alone) */
#include <assert.h>
#include <stddef.h>

struct item {
    int key;
};

void swap(struct item **items, unsigned i, unsigned j)
{
    if (!items || i >= 100 || j >= 100)
        return;
    struct item *first = items[i], *second = items[j];
    if (i == j)
        assert(first == second);
    items[i] = NULL;
    assert(items[j] == (i == j ? NULL : second));
    items[j] = first;
    assert(items[i] == (i == j ? first : NULL));
    items[i] = second;
    assert(items[i] == second && items[j] == (i == j ? second : first));
}
