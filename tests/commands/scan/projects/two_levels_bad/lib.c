/* The entry two calls above lets the value pass.

   finds: out-of-bounds at 8: certain by weight_of
*/
#include "lib.h"

static const int weights[4] = {1, 2, 3, 4};
static int weight(unsigned kind) { return kind <= 4 ? weights[kind] : 0; }
static int twice(unsigned kind) { return 2 * weight(kind); }
int weight_of(unsigned kind) { return kind > 8 ? -1 : twice(kind); }
