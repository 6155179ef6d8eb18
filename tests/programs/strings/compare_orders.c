/* expect: safe
   native: asan */
#include <assert.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  char s[3];
  unfork_symbolic(s, sizeof s, "s");
  s[2] = 0;
  int order = strcmp(s, "m");
  if (order == 0) assert(s[0] == 'm' && s[1] == 0);
  if (order < 0) assert((unsigned char)s[0] < 'm');
  if (order > 0) assert((unsigned char)s[0] >= 'm');
  assert(strncmp(s, "", 0) == 0);
  return 0;
}
