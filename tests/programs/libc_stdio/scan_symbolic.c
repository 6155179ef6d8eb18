/* expect: unsafe
   native: asan
   input: s="49" */
#include <assert.h>
#include <stdio.h>
#include "unfork.h"

int main(void) {
  char s[3];
  int value;
  unfork_symbolic(s, sizeof s, "s");
  s[2] = 0;
  if (sscanf(s, "%d", &value) == 1) assert(value != 49); /* BUG: assert */
  return 0;
}
