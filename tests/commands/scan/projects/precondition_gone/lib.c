/* The only caller passes a pointer to its own array: no precondition is left.

   finds: null-dereference at 6: excluded
*/
#include "lib.h"
static int sum(const int *of) { return (of[0] & 255) + (of[1] & 255); }
int sum_of_two(int a, int b)
{
    int both[2] = {a, b};
    return sum(both);
}
