/* A text is copied without its backslashes: what is read and what is written move apart.
   expect: safe
   native: asan */
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
  unfork_check(to - plain <= from - s && from - s <= 2 * (to - plain));
  if (s[0] == '\\' && s[1]) unfork_check(plain[0] == s[1]);
  if (from == s + 4 && to == plain + 2) unfork_check(plain[1] == s[3]);
  if (to < plain + 4) unfork_check(*to == '.');
  return 0;
}
