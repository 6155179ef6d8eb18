/* The value of a number in digits, as far as these go.
   expect: unsafe
   native: asan
   input: s="137" */
#include "unfork.h"

int main(void) {
  char s[4];
  unfork_symbolic(s, sizeof s, "s");
  s[3] = 0;
  int value = 0;
  for (const char *p = s; *p >= '0' && *p <= '9'; p++)
    value = 10 * value + (*p - '0');
  unfork_check(value >= 0 && value < 1000);
  unfork_check(value != 137); /* BUG: assert */
  return 0;
}
