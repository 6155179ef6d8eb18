/* Another library's functions: nothing is certain of what they give, but what does not depend on it is.

   finds: out-of-bounds at 17: conditional
   finds: out-of-bounds at 23: certain
   finds: uninitialised at 31: conditional
*/
#include "lib.h"

extern int zip_count(void);
extern int zip_read(void *to, int size, const void *from);
static const int weights[4] = {1, 2, 3, 4};
int weight_of_all(void)
{
    int count = zip_count();
    if (count < 0 || count > 4)
        return 0;
    return weights[count];
}
int weight_beyond(int kind)
{
    if (kind < 0 || kind > 4 || zip_count() > 7)
        return 0;
    return weights[kind];
}
int first_of_stream(void)
{
    struct head { int size; long more; } head;
    if (zip_read(&head, 8, "name") < 0)
        return 0;
    return head.more > 8;
}
