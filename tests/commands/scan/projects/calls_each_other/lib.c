/* Two functions call each other; the only call from outside excludes the value.

   finds: out-of-bounds at 9: excluded
*/
#include "lib.h"

static const int weights[4] = {1, 2, 3, 4};
static int odd(unsigned kind);
static int even(unsigned kind) { return kind == 0 ? 0 : kind <= 4 ? weights[kind] + odd(kind - 1) : 0; }
static int odd(unsigned kind) { return kind == 0 ? 1 : even(kind - 1); }
int depth_of(unsigned kind) { return kind > 3 ? -1 : even(kind); }
