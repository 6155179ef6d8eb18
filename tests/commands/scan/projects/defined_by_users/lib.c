/* A header declares functions that users define: they return anything, and fill their buffers with anything.

   finds: out-of-bounds at 14: certain
   finds: out-of-bounds at 21: conditional
*/
#include "lib.h"

static const int weights[4] = {1, 2, 3, 4};
int weight_of_all(void)
{
    int count = app_count();
    if (count < 0 || count > 4)
        return 0;
    return weights[count];
}
int first_random(void)
{
    unsigned char byte[1];
    if (app_random(byte, 1) < 0)
        return 0;
    return weights[byte[0] & 7];
}
