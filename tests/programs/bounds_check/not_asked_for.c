/* Without the check an index may leave an array for its neighbour in the same struct, as it does on a processor.
   expect: safe
   native: none (a sanitizer would object) */
#include <assert.h>
#include "unfork.h"

int main(void) {
  struct { int cells[4]; int after; } s = {{1, 2, 3, 4}, 5};
  unsigned i;
  unfork_symbolic(&i, sizeof i, "i");
  if (i > 4) return 0;
  assert(s.cells[i] == (int)i + 1);
  return 0;
}
