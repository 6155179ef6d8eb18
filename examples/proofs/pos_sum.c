/* posSum of Scheurer16 (Listing 3): the absolute value of the sum of two positive integers; the loop ends in five ways. */
#include "unfork.h"

static int absolute(int num)
{
    int result;
    if (num < 0)
        result = -num;
    else
        result = num;
    return result;
}

/*@ requires 0 < x <= 5 && 0 < y <= 1000000;
    assigns \nothing;
    ensures \result == x + y;
*/
int pos_sum(int x, int y)
{
    int first = x, second = y;
    unfork_merge_begin();
    while (x > 0) {
        y++;
        x--;
    }
    unfork_merge_end();
    return absolute(y);
}
