/* What nobody wrote may be anything, the same whenever it is read.
   expect: unsafe
   native: none (no compiler knows what CBMC does) */
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int x, y;
  int *p = malloc(2 * sizeof *p);
  assert(x == x && p[0] == p[0]);
  __CPROVER_assume(x > 5 && p[1] == 3);
  assert(x != 5 && p[1] == 3);
  assert(x != y);   /* BUG: assert */
  assert(p[0] != 9); /* BUG: assert */
  return 0;
}
