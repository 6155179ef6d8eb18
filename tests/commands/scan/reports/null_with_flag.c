/* A flag says whether the pointer is set.

   report: not reachable
*/
#include <stddef.h>
int largest(const int numbers[static 3])
{
    const int *found = NULL;
    int has_found = 0;
    for (int i = 0; i < 3; i++) {
        if (numbers[i] >= 0 && (!has_found || numbers[i] > *found)) {
            found = &numbers[i];
            has_found = 1;
        }
    }
    if (!has_found)
        return -1;
    return *found;
}
