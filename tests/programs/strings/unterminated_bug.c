/* expect: unsafe
   native: asan
   input: s="abcd" */
#include <string.h>
#include "unfork.h"

int main(void) {
  char s[4];
  unfork_symbolic(s, sizeof s, "s");
  return strlen(s) == 9; /* BUG: out-of-bounds */
}
