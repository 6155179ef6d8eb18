/* expect: safe
   native: asan */
#include <assert.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  char s[6], target[4];
  unfork_symbolic(s, sizeof s, "s");
  s[5] = 0;
  strncpy(target, s, sizeof target);
  target[3] = 0;
  assert(strlen(target) <= 3);
  return 0;
}
