/* Tables of functions, in static data and on the heap.
   expect: safe
   options: --data-model ILP32
   native: none (for 32 bits) */
#include <assert.h>
#include <stdlib.h>
#include "unfork.h"

static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static const struct operation { char name; int (*run)(int, int); } operations[] = {{'+', add}, {'-', sub}};

int main(void) {
  unsigned i;
  unfork_symbolic(&i, sizeof i, "i");
  if (i > 1) return 0;
  int (**kept)(int, int) = malloc(2 * sizeof *kept);
  if (!kept) return 0;
  kept[0] = operations[i].run;
  kept[1] = operations[!i].run;
  assert(kept[0](5, 3) == (i ? 2 : 8) && kept[1](5, 3) == (i ? 8 : 2));
  free(kept);
  return 0;
}
