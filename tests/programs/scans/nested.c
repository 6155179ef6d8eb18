/* Words are counted by a loop around two that scan.
   expect: safe
   native: asan */
#include "unfork.h"

int main(void) {
  char s[6];
  unfork_symbolic(s, sizeof s, "s");
  s[5] = 0;
  const char *p = s;
  int words = 0, letters = 0;
  for (;;) {
    while (*p == ' ')
      p++;
    if (*p == 0) break;
    const char *word = p;
    while (*p != 0 && *p != ' ')
      p++;
    unfork_check(p > word);
    letters += p - word;
    words++;
  }
  unfork_check(p - s <= 5);
  unfork_check(words <= 3);
  unfork_check(letters >= words && letters <= 5);
  return 0;
}
