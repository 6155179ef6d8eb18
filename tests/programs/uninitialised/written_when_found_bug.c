/* Whether something was found says whether its place was written.
   expect: unsafe
   options: --check memory,uninitialised --loops abstract
   native: none (gcc has no check for this) */
#include "unfork.h"
int main(void)
{
    unsigned n, sought, place;
    int found = 0;
    unfork_symbolic(&n, sizeof n, "n");
    unfork_symbolic(&sought, sizeof sought, "sought");
    unfork_assume(n < 6);
    for (unsigned i = 0; i < n; i++)
        if (i == sought) {
            found = 1;
            if (i > 2)
                place = i;
        }
    if (found && place > 4) /* BUG: uninitialised */
        return 0;
    return 0;
}
