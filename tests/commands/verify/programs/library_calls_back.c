/* A function of the library, parts of which the compiler made, calls a function that requires what is not so.

   expect: unsafe
   open: requires of compared
*/
#include <stdlib.h>

/*@ requires \valid_read(a) && *a > 2; assigns \nothing; */
static int compared(const int *a, const int *b) { return 0; }

/*@ assigns \nothing; ensures \result == 1; */
int sorts(void)
{
    int a[2] = {2, 1};
    qsort(a, 2, sizeof *a, (int (*)(const void *, const void *))compared);
    return 1;
}
