/* What a late turn copies matters behind the loop.
   expect: safe
   options: --check memory,uninitialised --loops abstract
   native: none (gcc has no check for this) */
#include "unfork.h"
int main(void)
{
    int x = 3, y = 1;
    unsigned n;
    unfork_symbolic(&n, sizeof n, "n");
    unfork_assume(n < 8);
    for (unsigned i = 0; i < n; i++)
        if (i == 3)
            y = x;
    if (n > 5 && y > 2)
        return 0;
    return 0;
}
