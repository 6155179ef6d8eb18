/* As in CBMC, abort() ends a path and is no error.
   expect: safe
   native: none (no compiler knows what CBMC does) */
#include <stdlib.h>
int nondet_int(void);

int main(void) {
  int x = nondet_int();
  __CPROVER_assume(x >= 0);
  if (x == 5) abort();
  __CPROVER_assert(x != 5, "the path has ended");
  return 0;
}
