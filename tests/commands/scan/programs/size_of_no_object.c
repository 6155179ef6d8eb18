/* The product wraps for a number of elements that no process has. One that is no size of an argument may be so large.

   scan: certain out-of-bounds 22
   scan: conditional out-of-bounds 14
*/
#include <stddef.h>

static const int weights[8] = {1, 2, 3, 4, 5, 6, 7, 8};

int weight_of_last(const int *items, size_t size)
{
    if (size == 0 || size * sizeof *items > sizeof weights)
        return 0;
    return weights[size - 1];
}

int weight_of(size_t number)
{
    size_t place = number;
    if (number == 0 || number * sizeof *weights > sizeof weights)
        return 0;
    return weights[place - 1];
}
