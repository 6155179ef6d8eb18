/* Trailing blanks are dropped, from the end on: a text of nothing else is scanned past its beginning.
   expect: unsafe
   native: asan
   input: s=hex:20202020 */
#include "unfork.h"

static char before[64];

int main(void) {
  char s[4];
  unfork_symbolic(s, sizeof s, "s");
  int end = 4;
  while (s[end - 1] == ' ') /* BUG: out-of-bounds */
    end--;
  unfork_check(end > 0 && s[end - 1] != ' ');
  return before[end];
}
