/* Whether one text is in another one, with gaps: the second counter moves where both agree. The latter has no end.
   expect: unsafe
   native: asan
   input: text=hex:6161612a sought=hex:6161 */
#include "unfork.h"

int main(void) {
  char text[5], sought[2];
  unfork_symbolic(text, 4, "text");
  unfork_symbolic(sought, 2, "sought");
  text[4] = 0;
  const char *s = text, *t = sought;
  while (*s && *t) { /* BUG: out-of-bounds */
    if (*s == *t) t++;
    s++;
  }
  unfork_check(t - sought <= s - text);
  unfork_check(t <= sought + 2);
  if (t == sought + 2) unfork_check(sought[0] == text[0] || sought[0] == text[1] || sought[0] == text[2]);
  return 0;
}
