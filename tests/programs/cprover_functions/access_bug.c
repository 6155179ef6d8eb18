/* An access one byte beyond what is known to be there.
   expect: unsafe
   options: --function harness
   native: none (no compiler knows what CBMC does) */
#include <stdlib.h>

void harness(void) {
  size_t n, i;
  __CPROVER_assume(n <= 8 && i <= 8);
  char *p = malloc(n);
  __CPROVER_assume(__CPROVER_w_ok(p, i));
  if (i > 0) p[i - 1] = 1;
  p[i] = 1; /* BUG: out-of-bounds */
}
