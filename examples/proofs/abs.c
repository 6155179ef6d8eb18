/* abs of Scheurer16 (Listing 2): the absolute value is not negative. */
#include "unfork.h"

/*@ requires num > -2147483647 - 1;
    assigns \nothing;
    ensures \result >= 0;
*/
int absolute(int num)
{
    int result;
    unfork_merge_begin();
    if (num < 0)
        result = -num;
    else
        result = num;
    unfork_merge_end();
    return result;
}
