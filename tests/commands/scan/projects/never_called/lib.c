/* Nothing calls the static function, whose address is kept.

   finds: out-of-bounds at 7: likely
*/
#include "lib.h"
static const int weights[4] = {1, 2, 3, 4};
static int weight(unsigned kind) { return kind <= 4 ? weights[kind] : 0; }
int (*kept)(unsigned) = weight;
int one(void) { return 1; }
