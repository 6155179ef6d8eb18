/* An element at a known place was met before, and is written after, one at an unknown place.
   expect: safe
   options: --function pick
   native: none (a function that is run alone) */
#include <assert.h>
#include <stddef.h>

void pick(int **rows, unsigned i)
{
    if (!rows || i >= 50)
        return;
    int *third = rows[3];
    int *any = rows[i];
    if (i == 3)
        assert(any == third);
    rows[4] = NULL;
    assert(rows[i] == (i == 4 ? NULL : any));
    if (i == 5)
        assert(rows[5] == any);
}
