/* One of two callers lets the value pass that fails: the program calls it.

   finds: out-of-bounds at 8: certain by last_weight
*/
#include "lib.h"

static const int weights[4] = {1, 2, 3, 4};
static int weight(int kind) { return kind >= 0 && kind <= 4 ? weights[kind] : 0; }
int weight_of(int kind) { return kind < 0 || kind > 3 ? -1 : weight(kind); }
int last_weight(int count) { return count < 1 || count > 4 ? -1 : weight(count); }
