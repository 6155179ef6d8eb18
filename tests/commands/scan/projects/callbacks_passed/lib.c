/* A member leads to a function that the project puts there, not to any function of its type: next never calls itself.

   finds: null-dereference at 10: conditional by next
   finds: null-dereference at 11: conditional by open_weights
*/
#include "lib.h"

static const int weights[4] = {1, 2, 3, 4};
static int weight(struct source *from, unsigned kind) { return from != 0 && kind < 4 ? weights[kind] : 0; }
int next(struct source *from, unsigned kind) { return from->read(from, kind); }
void open_weights(struct source *source) { source->read = weight; }
