/* An array has as many items as its maker is told: item number count is let through by one function.
   scan: certain out-of-bounds 21 */
#include <stddef.h>
#include <stdlib.h>
struct array { unsigned count; int items[]; };

struct array *array_new(unsigned count)
{
    if (count > 100)
        return NULL;
    struct array *array = calloc(1, offsetof(struct array, items) + count * sizeof(int));
    if (array != NULL)
        array->count = count;
    return array;
}

int array_get(const struct array *array, unsigned i)
{
    if (array == NULL || i > array->count)
        return 0;
    return array->items[i];
}

int array_at(const struct array *array, unsigned i)
{
    return array != NULL && i < array->count ? array->items[i] : 0;
}
