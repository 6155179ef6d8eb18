/* An index beyond an array within a struct stays in the struct, and is wrong all the same.
   expect: unsafe
   options: --check memory,bounds
   native: asan
   input: kind=0 i=4
   input: kind=1 i=4
   input: kind=2 i=-1
   input: kind=3 i=4 */
#include "unfork.h"

struct inner { int cells[4]; };
struct outer { int before; int cells[4]; struct inner nested; int after; };

int main(void) {
  struct outer s = {0}, *p = &s;
  int kind, i, grid[3][4] = {{0}};
  unfork_symbolic(&kind, sizeof kind, "kind");
  unfork_symbolic(&i, sizeof i, "i");
  if (i < -1 || i > 4) return 0;
  switch (kind) {
  case 0: return i >= 0 ? s.cells[i] : 0; /* BUG: out-of-bounds */
  case 1: if (i >= 0) p->nested.cells[i] = 1; /* BUG: out-of-bounds */
    return 0;
  case 2: return i < 4 ? p->cells[i] : 0; /* BUG: out-of-bounds */
  case 3: return i >= 0 ? grid[1][i] : 0; /* BUG: out-of-bounds */
  }
  return 0;
}
