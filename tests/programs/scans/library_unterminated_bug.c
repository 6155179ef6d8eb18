/* strlen from a symbolic place on runs off a text without an end.
   expect: unsafe
   native: asan
   input: s=hex:20202020 */
#include <string.h>
#include "unfork.h"

int main(void) {
  char s[4];
  unfork_symbolic(s, sizeof s, "s");
  s[3] = 'x';
  const char *p = s;
  while (*p == ' ')
    p++;
  return strlen(p) > 2; /* BUG: out-of-bounds */
}
