/* posSum of Scheurer16 (Listing 3): the absolute value of the sum of two positive integers, x at most 5, so that the
   loop ends in five ways, which are joined before abs is called.

   expect: safe
   paths: 5
   native: asan
*/
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

int main(void)
{
    int x, y, first, second;
    unfork_symbolic(&x, sizeof x, "x");
    unfork_symbolic(&y, sizeof y, "y");
    unfork_assume(x > 0);
    unfork_assume(x <= 5);
    unfork_assume(y > 0);
    unfork_assume(y <= 1000000);
    first = x;
    second = y;
    unfork_merge_begin();
    while (x > 0) {
        y++;
        x--;
    }
    unfork_merge_end();
    unfork_check(absolute(y) == first + second);
    return 0;
}
