/* expect: unsafe
   native: asan
   input: s="7" */
#include <assert.h>
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  char s[2] = "0";
  unfork_symbolic(s, 1, "s");
  unfork_assume(s[0] >= '0' && s[0] <= '9');
  assert(strtod(s, 0) != 7); /* BUG: assert */
  return 0;
}
