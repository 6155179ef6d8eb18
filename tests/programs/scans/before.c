/* The element before the one that ends the loop is carried along.
   expect: safe
   native: asan */
#include "unfork.h"

int main(void) {
  char s[5];
  unfork_symbolic(s, sizeof s, "s");
  s[4] = 0;
  char last = 0;
  int i = 0;
  while (s[i]) {
    last = s[i];
    i++;
  }
  unfork_check(i == 0 ? last == 0 : last == s[i - 1]);
  return 0;
}
