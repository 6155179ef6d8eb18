/* The C library calls the function that fails.

   finds: null-dereference at 12: conditional
   finds: div-by-zero at 13: certain by least_of
*/
#include "lib.h"

#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    int one = *(const int *)left, other = *(const int *)right;
    return one > 3 && one < 8 ? 10 / (one - 5) : one < other ? -1 : one > other;
}

int least_of(int first, int second)
{
    int both[2] = {first, second};
    qsort(both, 2, sizeof both[0], compare);
    return both[0];
}
