/* abs of Scheurer16 (Listing 2): the absolute value is not negative.

   expect: safe
   paths: 2
   native: asan
*/
#include "unfork.h"
#include <limits.h>

static int absolute(int num)
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

int main(void)
{
    int num;
    unfork_symbolic(&num, sizeof num, "num");
    unfork_assume(num != INT_MIN);
    unfork_check(absolute(num) >= 0);
    return 0;
}
