/* The same with a bound.
   expect: safe
   native: asan */
#include "unfork.h"

int main(void) {
  char s[4];
  unfork_symbolic(s, sizeof s, "s");
  const char *end = s + 4;
  while (end > s && end[-1] == ' ')
    end--;
  unfork_check(end == s || end[-1] != ' ');
  unfork_check(end - s <= 4);
  return 0;
}
