/* A table has the function's address: who calls it is not known.

   finds: out-of-bounds at 8: likely
*/
#include "lib.h"

static const int weights[4] = {1, 2, 3, 4};
static int weight(unsigned kind) { return kind <= 4 ? weights[kind] : 0; }
static int none(unsigned kind) { return (int)kind; }
static int (*const table[2])(unsigned) = {weight, none};
int weight_of(int which, unsigned kind) { return kind > 3 ? -1 : table[which != 0](kind); }
