/* CBMC lets allocation fail; --fail does.
   expect: unsafe
   options: --fail 2 --function harness
   native: none (no compiler knows what CBMC does) */
#include <stdlib.h>

void harness(void) {
  size_t n;
  __CPROVER_assume(n > 0 && n < 4);
  char *p = malloc(n), *q = malloc(n);
  __CPROVER_assume(p);
  p[n - 1] = 1;
  q[0] = 2; /* BUG: null-dereference */
}
