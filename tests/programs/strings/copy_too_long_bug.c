/* expect: unsafe
   native: asan
   input: s="abcd" */
#include <string.h>
#include "unfork.h"

int main(void) {
  char s[6], target[4];
  unfork_symbolic(s, sizeof s, "s");
  s[5] = 0;
  strcpy(target, s); /* BUG: out-of-bounds */
  return target[0] == 1 ? 0 : 0;
}
