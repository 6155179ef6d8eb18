/* Two neighbours on the stack of runs become one: what is in order at both ends stays, the rest is merged.

   The functions that it calls are known by their contracts alone.
*/
#include "unfork.h"

struct run { int base, length; };

/*@ requires 0 < length && 0 <= hint < length;
    requires \valid_read(a + (0 .. length-1));
    assigns \nothing;
    ensures 0 <= \result <= length;
*/
int gallop_left(int key, const int *a, int length, int hint);

/*@ requires 0 < length && 0 <= hint < length;
    requires \valid_read(a + (0 .. length-1));
    assigns \nothing;
    ensures 0 <= \result <= length;
*/
int gallop_right(int key, const int *a, int length, int hint);

/*@ requires 0 < first <= second && first + second <= 2147483647;
    requires \valid(a + (0 .. first + second - 1));
    assigns a[0 .. first + second - 1];
*/
void merge_lo(int *a, int first, int second);

/*@ requires 0 < second <= first && first + second <= 2147483647;
    requires \valid(a + (0 .. first + second - 1));
    assigns a[0 .. first + second - 1];
*/
void merge_hi(int *a, int first, int second);

/*@ requires 0 <= length && \valid(a + (0 .. length-1));
    requires 2 <= size && \valid(runs + (0 .. size-1));
    requires \separated(a + (0 .. length-1), runs + (0 .. size-1));
    requires 0 <= i && (i == size - 2 || i == size - 3);
    requires \forall integer k; 0 <= k < size ==> 0 <= runs[k].base && 0 < runs[k].length;
    requires \forall integer k; 0 <= k < size - 1 ==> runs[k].base + runs[k].length == runs[k+1].base;
    requires \forall integer k; 0 <= k < size ==> runs[k].base + runs[k].length <= length;
    assigns a[0 .. length-1], runs[0 .. size-1];
    ensures \result == size - 1;
    ensures \forall integer k; 0 <= k < \result ==> 0 <= runs[k].base && 0 < runs[k].length;
    ensures \forall integer k; 0 <= k < \result - 1 ==> runs[k].base + runs[k].length == runs[k+1].base;
    ensures \forall integer k; 0 <= k < \result ==> runs[k].base + runs[k].length <= length;
*/
int merge_at(int *a, int length, struct run *runs, int size, int i)
{
    int base1 = runs[i].base, length1 = runs[i].length;
    int base2 = runs[i + 1].base, length2 = runs[i + 1].length;
    int skipped;

    unfork_merge_begin();
    runs[i].length = length1 + length2;
    if (i == size - 3) {
        runs[i + 1].base = runs[i + 2].base;
        runs[i + 1].length = runs[i + 2].length;
    }
    size--;
    unfork_merge_end();

    skipped = gallop_right(a[base2], a + base1, length1, 0);
    base1 += skipped;
    length1 -= skipped;
    unfork_merge_begin();
    if (length1 != 0) {
        length2 = gallop_left(a[base1 + length1 - 1], a + base2, length2, length2 - 1);
        unfork_merge_begin();
        if (length2 != 0) {
            unfork_merge_begin();
            if (length1 <= length2)
                merge_lo(a + base1, length1, length2);
            else
                merge_hi(a + base1, length1, length2);
            unfork_merge_end();
        }
        unfork_merge_end();
    }
    unfork_merge_end();
    return size;
}
