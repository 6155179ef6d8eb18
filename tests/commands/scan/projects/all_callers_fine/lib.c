/* A static function fails for 4, which none of its callers passes.

   finds: out-of-bounds at 8: excluded
*/
#include "lib.h"

static const int weights[4] = {1, 2, 3, 4};
static int weight(int kind) { return kind >= 0 && kind <= 4 ? weights[kind] : 0; }
int weight_of(int kind) { return kind < 0 || kind > 3 ? -1 : weight(kind); }
int first_weight(void) { return weight(0); }
