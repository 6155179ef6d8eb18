/* How deep parentheses nest; there is room for three levels.
   expect: unsafe
   native: asan
   input: s=hex:2828282820 */
#include "unfork.h"

int main(void) {
  char s[6];
  int opened[3] = {0};
  unfork_symbolic(s, 5, "s");
  s[5] = 0;
  int depth = 0;
  for (int i = 0; s[i]; i++) {
    if (s[i] == '(' && opened[depth++] > i) break; /* BUG: out-of-bounds */
    if (s[i] == ')' && depth-- == 0) return 0;
  }
  return depth;
}
