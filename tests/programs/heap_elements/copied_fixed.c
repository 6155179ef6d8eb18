/* Elements at unknown places are copied with others.
   expect: safe
   options: --function copy
   native: none (a function that is run alone) */
#include <assert.h>
#include <string.h>

void copy(char **from, unsigned i)
{
    char *to[4];
    if (!from || i >= 4)
        return;
    char *one = from[i];
    memcpy(to, from, sizeof to);
    assert(to[i] == one);
    assert(from[i] == one);
}
