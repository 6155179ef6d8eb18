/* expect: unsafe
   native: asan
   input: s="ab" */
#include <stdio.h>
#include "unfork.h"

int main(void) {
  char s[2];
  unfork_symbolic(s, sizeof s, "s");
  puts(s); /* BUG: out-of-bounds */
  return 0;
}
