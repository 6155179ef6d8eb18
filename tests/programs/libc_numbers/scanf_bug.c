/* Standard input is read as numbers, and one of them is found.
   args: --sym-stdin 3
   expect: unsafe
   native: none (standard input) */
#include <assert.h>
#include <stdio.h>

int main(void) {
  double d;
  if (scanf("%lf", &d) == 1) assert(d != 2.5); /* BUG: assert */
  return 0;
}
