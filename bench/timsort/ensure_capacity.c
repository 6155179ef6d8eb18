/* How much room there must be for ``needed`` elements: a power of two, but not more than half of the array.

   The room itself is for the caller to get.
*/
#include "unfork.h"

/*@ requires 0 <= capacity && 1 <= needed <= length / 2;
    assigns \nothing;
    ensures needed <= \result;
    ensures capacity <= \result;
    ensures \result == capacity || \result <= length / 2;
*/
int ensure_capacity(int capacity, int needed, int length)
{
    if (capacity < needed) {
        int size = needed, most = length / 2;

        size |= size >> 1;
        size |= size >> 2;
        size |= size >> 4;
        size |= size >> 8;
        size |= size >> 16;
        unfork_merge_begin();
        if (size >= most)
            size = most;
        else
            size++;
        unfork_merge_end();
        capacity = size;
    }
    return capacity;
}
