/* The same with the end in place.
   expect: safe
   native: asan */
#include "unfork.h"

int main(void) {
  char s[4];
  unfork_symbolic(s, sizeof s, "s");
  s[3] = 'b';
  const char *p = s;
  while (*p != 'a' && *p != 'b')
    p++;
  unfork_check(*p == 'a' || *p == 'b');
  unfork_check(p - s < 4);
  return 0;
}
