/* Two neighbouring runs become one from the right, where the second is the shorter one and waits elsewhere.

   The functions that it calls are known by their contracts alone. The result is 1 if
   what ``compare`` says is no order. ``a`` begins with the first run, behind which there is room for the second.
   ``before`` and ``patience`` are for predicates: what one + two and least were when a turn began.
*/
#include "unfork.h"

#define GALLOP 7

struct waiting {
    const int *run;
};

/*@ assigns \nothing; */
int compare(int x, int y);

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

/*@ requires 0 <= length && 0 <= from && 0 <= to && from + length <= size && to + length <= size;
    requires \valid(a + (0 .. size-1));
    assigns a[to .. to + length - 1];
*/
void move(int *a, int size, int to, int from, int length);

/*@ requires 0 <= length && 0 <= to && to + length <= size;
    requires \valid(a + (0 .. size-1));
    requires \valid_read(from + (0 .. length-1));
    requires \separated(a + (0 .. size-1), from + (0 .. length-1));
    assigns a[to .. to + length - 1];
*/
void put(int *a, int size, int to, const int *from, int length);

/*@ requires 0 < first && 0 < second && first + second <= 2147483647;
    requires \valid(a + (0 .. first + second - 1));
    requires \valid_read(waiting);
    requires \valid_read(waiting->run + (0 .. second - 1));
    requires \separated(a + (0 .. first + second - 1), waiting->run + (0 .. second - 1));
    assigns a[0 .. first + second - 1];
    ensures 0 <= \result <= 1;
*/
int merge_hi(int *a, int first, const struct waiting *waiting, int second)
{
    const int *other = waiting->run;
    int size = first + second, one = first, two = second, least = GALLOP, is_over = 0;

    one--;
    a[one + two] = a[one];
    is_over = one == 0 || two == 1;
    /*@ loop invariant 0 <= one <= first && 0 <= two <= second && 0 <= least <= 2147483640;
        loop invariant is_over || (1 <= one && 2 <= two);
        loop invariant one < first;
        loop assigns one, two, least, is_over, a[0 .. size-1];
        loop variant is_over ? 0 : one + two;
    */
    while (!is_over) {
        int wins1 = 0, wins2 = 0;

        /*@ loop invariant 0 <= one <= first && 0 <= two <= second && one < first;
            loop invariant is_over || (1 <= one && 2 <= two);
            loop invariant one + two <= \at(one + two, LoopEntry);
            loop assigns one, two, wins1, wins2, is_over, a[0 .. size-1];
            loop variant is_over ? 0 : one + two;
        */
        while (!is_over && wins1 < least && wins2 < least) {
            int before = one + two;

            unfork_merge_begin();
            if (compare(other[two - 1], a[one - 1]) < 0) {
                one--;
                a[one + two] = a[one];
                wins1++;
                wins2 = 0;
                is_over = one == 0;
            } else {
                two--;
                a[one + two] = other[two];
                wins2++;
                wins1 = 0;
                is_over = two == 1;
            }
            unfork_merge_end();
        }
        wins1 = wins2 = GALLOP;
        /*@ loop invariant 0 <= one <= first && 0 <= two <= second && one < first;
            loop invariant is_over || (1 <= one && 2 <= two);
            loop invariant 0 <= least <= \at(least, LoopEntry);
            loop invariant one + two <= \at(one + two, LoopEntry);
            loop invariant one + two < \at(one + two, LoopEntry) || wins1 >= GALLOP;
            loop assigns one, two, wins1, wins2, least, is_over, a[0 .. size-1];
            loop variant is_over ? 0 : one + two;
        */
        while (!is_over && (wins1 >= GALLOP || wins2 >= GALLOP)) {
            int before = one + two, patience = least;

            wins1 = one - gallop_right(other[two - 1], a, one, one - 1);
            unfork_merge_begin();
            if (wins1 != 0) {
                one -= wins1;
                move(a, size, one + two, one, wins1);
            }
            unfork_merge_end();
            unfork_merge_begin();
            if (one == 0) {
                is_over = 1;
            } else {
                two--;
                a[one + two] = other[two];
                unfork_merge_begin();
                if (two == 1) {
                    is_over = 1;
                } else {
                    wins2 = two - gallop_left(a[one - 1], other, two, two - 1);
                    unfork_merge_begin();
                    if (wins2 != 0) {
                        two -= wins2;
                        put(a, size, one + two, other + two, wins2);
                    }
                    unfork_merge_end();
                    unfork_merge_begin();
                    if (two <= 1) {
                        is_over = 1;
                    } else {
                        one--;
                        a[one + two] = a[one];
                        is_over = one == 0;
                        least -= least > 0;
                    }
                    unfork_merge_end();
                }
                unfork_merge_end();
            }
            unfork_merge_end();
        }
        least += least < 2147483000 ? 2 : 0;
    }
    if (two == 1) {
        move(a, size, 1, 0, one);
        a[0] = other[0];
        return 0;
    }
    if (two == 0)
        return 1;
    put(a, size, 0, other, two);
    return 0;
}
