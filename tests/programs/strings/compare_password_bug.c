/* expect: unsafe
   native: asan
   input: s="key" */
#include <assert.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  char s[6];
  unfork_symbolic(s, sizeof s, "s");
  s[5] = 0;
  assert(strcmp(s, "key") != 0); /* BUG: assert */
  return 0;
}
