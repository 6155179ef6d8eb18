/* A text is copied to where there is no room for its end.
   expect: unsafe
   native: asan
   input: s=hex:20202020 */
#include "unfork.h"

int main(void) {
  char s[5], copy[4];
  unfork_symbolic(s, 4, "s");
  s[4] = 0;
  const char *from = s;
  char *to = copy;
  while ((*to = *from) != 0) { /* BUG: out-of-bounds */
    to++;
    from++;
  }
  return *copy;
}
