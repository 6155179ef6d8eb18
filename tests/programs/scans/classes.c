/* A switch decides what ends the loop, and calls of character functions.
   expect: safe
   native: asan */
#include <ctype.h>
#include "unfork.h"

int main(void) {
  char s[5];
  unfork_symbolic(s, sizeof s, "s");
  s[4] = 0;
  int i = 0;
  while (isspace((unsigned char)s[i]))
    i++;
  int end = i, kind = 0;
  for (;; end++) {
    switch (s[end]) {
      case 0: kind = 1; goto done;
      case '+':
      case '-': kind = 2; goto done;
      default: continue;
    }
  }
done:
  unfork_check(end >= i && end < 5);
  unfork_check(kind == 1 ? s[end] == 0 : s[end] == '+' || s[end] == '-');
  unfork_check(!isspace((unsigned char)s[i]));
  return 0;
}
