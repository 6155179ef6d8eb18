/* A pointer and a counter that move together, and what the loop adds up on its way.
   expect: safe
   native: asan */
#include "unfork.h"

int main(void) {
  char s[5];
  unfork_symbolic(s, sizeof s, "s");
  s[4] = 0;
  int length = 0, sum = 0;
  const char *p;
  for (p = s; *p >= '0' && *p <= '9'; p++) {
    length++;
    sum += *p - '0';
  }
  unfork_check(p - s == length);
  unfork_check(sum >= 0 && sum <= 9 * length);
  return 0;
}
