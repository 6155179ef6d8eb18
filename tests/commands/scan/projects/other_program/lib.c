/* Another program of the project calls the function, with what it is given: the caller here comes by the line without a fault, but does not settle it.

   finds: out-of-bounds at 8: undecided
*/
#include "lib.h"

static const int weights[4] = {1, 2, 3, 4};
int lib_weight(unsigned kind) { return kind <= 4 ? weights[kind] : 0; }
int weight_of(unsigned kind) { return kind > 3 ? -1 : lib_weight(kind); }
