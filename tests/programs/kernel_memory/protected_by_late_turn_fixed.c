/* What a late turn protects cannot be written behind the loop.
   expect: safe
   options: --loops abstract */
#include <sys/mman.h>
#include "unfork.h"
int main(void)
{
    char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return 0;
    unsigned n;
    unfork_symbolic(&n, sizeof n, "n");
    unfork_assume(n < 8);
    for (unsigned i = 0; i < n; i++)
        if (i == 3)
            mprotect(p, 4096, PROT_READ);
    if (n < 3)
        p[0] = 1;
    return 0;
}
