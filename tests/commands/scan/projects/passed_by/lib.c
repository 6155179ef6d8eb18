/* The caller comes by the line without a fault. What lies behind a function of its own caller's is not known.

   finds: null-dereference at 8: undecided
   finds: null-dereference at 13: conditional
*/
#include "lib.h"

static int size_of(const struct box *box, int least) { return box == 0 && least > 0 ? box->size : least; }

int box_size(const struct box *box, int (*scale)(int))
{
    int size = box ? size_of(box, 1) : size_of(box, 0);
    if (box && scale(size) > 8)
        size = size_of(box, -scale(size));
    return size;
}
