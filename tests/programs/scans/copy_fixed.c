/* A text is copied up to its end, and a word of it up to a blank; what lies behind the copies stays as it was.
   expect: safe
   native: asan */
#include "unfork.h"

int main(void) {
  char s[5], copy[5], word[4] = {'x', 'x', 'x', 'x'};
  unfork_symbolic(s, 4, "s");
  s[4] = 0;
  const char *from = s;
  char *to = copy;
  while ((*to++ = *from++) != 0)
    ;
  unfork_check(to - copy == from - s);
  for (int i = 0; i < to - copy; i++)
    unfork_check(copy[i] == s[i]);
  int n = 0;
  for (; n < 3 && s[n] > ' '; n++)
    word[n] = s[n];
  for (int i = 0; i < 3; i++)
    unfork_check(word[i] == (i < n ? s[i] : 'x'));
  word[n] = 0;
  unfork_check(word[3] == (n == 3 ? 0 : 'x'));
  return 0;
}
