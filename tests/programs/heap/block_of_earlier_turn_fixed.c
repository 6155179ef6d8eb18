/* A number leads to the block that an earlier turn has made.
   expect: safe
   options: --loops abstract */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include "unfork.h"
static int zero;
int main(void)
{
    uintptr_t place = (uintptr_t)&zero;
    int met = 0;
    unsigned n;
    unfork_symbolic(&n, sizeof n, "n");
    unfork_assume(n < 7);
    for (unsigned i = 0; i < n; i++) {
        int *p = (int *)place;
        if (*p == 6)
            met = 1;
        p = malloc(sizeof *p);
        if (!p)
            exit(0);
        *p = 5;
        place = (uintptr_t)p;
    }
    assert(!met);
    return 0;
}
