/* Loops that write to what they look at go turn by turn, also where that is seen only as they run.
   expect: safe
   native: asan */
#include "unfork.h"

static void copy(char *to, const char *from) {
  while (*from)
    *to++ = *from++;
}

int main(void) {
  char s[4];
  unfork_symbolic(s, 3, "s");
  s[3] = 0;
  char first = s[0], second = s[1];
  for (char *p = s; *p; p++)
    if (*p == '-') *p = '_';
  unfork_check(s[0] == (first == '-' ? '_' : first));
  if (s[0] && s[1] && s[2] == 0) {
    copy(s, s + 1);
    unfork_check(s[0] == (second == '-' ? '_' : second) && s[1] == s[0]);
  }
  return 0;
}
