/* A text is copied without its backslashes, of which the copy is said to hold none.
   expect: unsafe
   native: asan
   input: s=hex:5c5c2020 */
#include "unfork.h"

int main(void) {
  char s[5], plain[5] = "....";
  unfork_symbolic(s, 4, "s");
  s[4] = 0;
  const char *from = s;
  char *to = plain;
  while (*from) {
    if (*from == '\\' && from[1]) from++;
    *to++ = *from++;
  }
  unfork_check(to == plain || plain[0] != '\\' || s[1] == 0); /* BUG: assert */
  return 0;
}
