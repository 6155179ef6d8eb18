/* How deep parentheses nest: a number that goes up and down with the elements decides when the loop ends.
   expect: safe
   native: asan */
#include "unfork.h"

int main(void) {
  char s[6];
  unfork_symbolic(s, 5, "s");
  s[5] = 0;
  int depth = 0, i = 0;
  for (; s[i]; i++) {
    if (s[i] == '(') depth++;
    if (s[i] == ')' && --depth < 0) break;
  }
  unfork_check(depth >= -1 && depth <= i);
  if (depth == 5) unfork_check(s[0] == '(' && s[4] == '(');
  return 0;
}
