// scan: certain div-by-zero 22
// scan: certain out-of-bounds 38
// scan: conditional overflow 22
// A call of the project passes the function with which it fails; and what fails with any function.
#include <stddef.h>

static int weight_of_none(int item)
{
    return item < 0;
}

static int weight_of_any(int item)
{
    return item + 1;
}

/* The project itself passes weight_of_none. */
int share(int (*weight)(int), int total, int item)
{
    if (weight == NULL || item < 0 || item > 100)
        return 0;
    return total / weight(item);
}

int share_of(int total, int item, int has_weight)
{
    return share(has_weight ? weight_of_any : weight_of_none, total, item);
}

int (*const weights[])(int) = {weight_of_none, weight_of_any};

/* The function does not matter. */
int first_weight(int (*weight)(int), unsigned kind)
{
    static const int known[3] = {1, 5, 9};
    if (weight == NULL || kind > 3)
        return 0;
    return weight(0) + known[kind];
}
