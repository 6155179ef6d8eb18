/* As long_array_copied.c, but one element of what is copied may be another.
   expect: unsafe
*/
#include <string.h>
int copied(const int *a, unsigned k, unsigned j)
__CPROVER_requires(__CPROVER_is_fresh(a, 400) && k < 10 && j < 400)
__CPROVER_requires(__CPROVER_forall { unsigned i; (i < 59) ==> a[i] == 0 })
__CPROVER_ensures(__CPROVER_return_value == 0)
__CPROVER_assigns()
{
    int b[10];
    memcpy(b, a + 50, sizeof b);
    return b[k];
}
