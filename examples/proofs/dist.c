/* dist of Scheurer16 (Listing 1): the distance of two positive integers is not negative. */
#include "unfork.h"

/*@ requires x > 0 && y > 0;
    assigns \nothing;
    ensures \result >= 0;
*/
int dist(int x, int y)
{
    unfork_merge_begin();
    if (y < x) {
        int tmp = x;
        x = y;
        y = tmp;
    }
    unfork_merge_end();
    return y - x;
}
