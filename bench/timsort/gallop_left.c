/* Where a key belongs in a sorted range, in front of its equals: by steps that double, then by halving.

   TimSort (Peters 2002; de Gouw et al. 2015 for the proof). ``hint`` is the index at which the search begins.
*/
#include "unfork.h"

/*@ assigns \nothing;
    ensures (\result < 0 <==> x < y) && (\result > 0 <==> x > y);
*/
int compare(int x, int y) { return (x > y) - (x < y); }

/*@ requires 0 < length && 0 <= hint < length;
    requires \valid_read(a + (0 .. length-1));
    requires \forall integer i, j; 0 <= i <= j < length ==> a[i] <= a[j];
    assigns \nothing;
    ensures 0 <= \result <= length;
    ensures \forall integer k; 0 <= k < \result ==> a[k] < key;
    ensures \forall integer k; \result <= k < length ==> key <= a[k];
*/
int gallop_left(int key, const int *a, int length, int hint)
{
    int last = 0, step = 1, low, high;

    unfork_merge_begin();
    if (compare(key, a[hint]) > 0) {
        int most = length - hint;

        /*@ loop invariant 0 <= last < step && last < most && 1 <= most;
            loop invariant a[hint + last] < key;
            loop assigns last, step;
            loop variant most - step;
        */
        while (step < most && compare(key, a[hint + step]) > 0) {
            last = step;
            unfork_merge_begin();
            if (step > (most - 1) / 2)
                step = most;
            else
                step = 2 * step + 1;
            unfork_merge_end();
        }
        if (step > most)
            step = most;
        low = hint + last + 1;
        high = hint + step;
    } else {
        int most = hint + 1;

        /*@ loop invariant 0 <= last < step && last < most && 1 <= most;
            loop invariant key <= a[hint - last];
            loop assigns last, step;
            loop variant most - step;
        */
        while (step < most && compare(key, a[hint - step]) <= 0) {
            last = step;
            unfork_merge_begin();
            if (step > (most - 1) / 2)
                step = most;
            else
                step = 2 * step + 1;
            unfork_merge_end();
        }
        if (step > most)
            step = most;
        low = hint - step + 1;
        high = hint - last;
    }
    unfork_merge_end();

    /*@ loop invariant 0 <= low <= high <= length;
        loop invariant low == 0 || a[low - 1] < key;
        loop invariant high == length || key <= a[high];
        loop assigns low, high;
        loop variant high - low;
    */
    while (low < high) {
        int middle = low + (high - low) / 2;

        unfork_merge_begin();
        if (compare(key, a[middle]) > 0)
            low = middle + 1;
        else
            high = middle;
        unfork_merge_end();
    }
    return low;
}
