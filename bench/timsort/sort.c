/* The loop of TimSort: a run is found, lengthened by insertion, pushed and merged, until all runs are one.

   The functions that it calls are known by their contracts alone. The stack of runs
   has room for ROOM of them, which is enough by what merge_collapse ensures of their lengths; that is said here as what
   the stack's depth is bounded by.
*/
#include "unfork.h"

#define ROOM 49
#define MINIMUM 32

/*@ requires 0 <= low && low < high;
    requires \valid(a + (0 .. high-1));
    assigns a[low .. high-1];
    ensures 1 <= \result <= high - low;
*/
int count_run(int *a, int low, int high);

/*@ requires 0 <= low && low < start <= high;
    requires \valid(a + (0 .. high-1));
    assigns a[low .. high-1];
*/
void insertion_sort(int *a, int low, int high, int start);

/*@ requires 1 <= depth <= ROOM;
    requires 0 <= low && low < end;
    requires \valid(a + (0 .. end-1));
    assigns a[low .. end-1];
    ensures 1 <= \result <= depth && \result < ROOM;
*/
int merge_collapse(int *a, int low, int end, int depth);

/*@ requires 1 <= depth < ROOM;
    requires 0 <= low && low < end;
    requires \valid(a + (0 .. end-1));
    assigns a[low .. end-1];
    ensures \result == 1;
*/
int merge_force(int *a, int low, int end, int depth);

/*@ requires 0 <= n;
    assigns \nothing;
    ensures 0 <= \result <= n && (n > 0 ==> \result > 0);
    ensures \result <= MINIMUM;
*/
int shortest_run(int n)
{
    int odd = 0;

    /*@ loop invariant 0 <= n <= \at(n, Pre) && 0 <= odd <= 1;
        loop invariant \at(n, Pre) >= MINIMUM ==> n >= MINIMUM / 2;
        loop invariant n + odd <= \at(n, Pre) && (n >= MINIMUM || n + odd <= MINIMUM);
        loop invariant \at(n, Pre) > 0 ==> n > 0;
        loop assigns n, odd;
        loop variant n;
    */
    while (n >= MINIMUM) {
        odd |= n & 1;
        n >>= 1;
    }
    return n + odd;
}

/*@ requires 0 <= low <= high;
    requires \valid(a + (0 .. high-1));
    assigns a[low .. high-1];
    ensures 0 <= \result <= 1;
*/
int sort(int *a, int low, int high)
{
    int begin = low, left = high - low, depth = 1;

    unfork_merge_begin();
    if (left < 2) {
        depth = left;
    } else if (left < MINIMUM) {
        insertion_sort(a, low, high, low + count_run(a, low, high));
    } else {
        int shortest = shortest_run(left);

        depth = 0;
        /*@ loop invariant low < high && begin <= low && 1 <= left && low + left == high;
            loop invariant 0 <= depth < ROOM && (low > begin ==> 1 <= depth);
            loop invariant 1 <= shortest;
            loop assigns low, left, depth, a[begin .. high-1];
            loop variant left;
        */
        do {
            int run = count_run(a, low, high);

            unfork_merge_begin();
            if (run < shortest) {
                int forced;

                unfork_merge_begin();
                forced = left <= shortest ? left : shortest;
                unfork_merge_end();
                insertion_sort(a, low, low + forced, low + run);
                run = forced;
            }
            unfork_merge_end();
            depth = merge_collapse(a, begin, low + run, depth + 1);
            low += run;
            left -= run;
        } while (left != 0);
        depth = merge_force(a, begin, high, depth);
    }
    unfork_merge_end();
    return depth;
}
