/* dist of Scheurer16 (Listing 1): the distance of two positive integers is not negative. Its sides are joined behind the
   if where states are joined at all.

   expect: safe
   paths: 2
   native: asan
*/
#include "unfork.h"

static int dist(int x, int y)
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

int main(void)
{
    int x, y;
    unfork_symbolic(&x, sizeof x, "x");
    unfork_symbolic(&y, sizeof y, "y");
    unfork_assume(x > 0);
    unfork_assume(y > 0);
    unfork_check(dist(x, y) >= 0);
    return 0;
}
