/* Elements that are copied from a long array, and bytes of elements.
   expect: safe
*/
#include <string.h>
int copied(const int *a, unsigned k, unsigned j)
__CPROVER_requires(__CPROVER_is_fresh(a, 400) && k < 10 && j < 400)
__CPROVER_requires(__CPROVER_forall { unsigned i; (i < 100) ==> a[i] == 0 })
__CPROVER_ensures(__CPROVER_return_value == 0)
__CPROVER_assigns()
{
    int b[10];
    memcpy(b, a + 50, sizeof b);
    return b[k] + (int)((const unsigned char *)a)[j];
}
