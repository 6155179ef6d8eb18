/* A scan without a bound runs off a text that may lack its end.
   expect: unsafe
   native: asan
   input: s="xxxx" */
#include "unfork.h"

int main(void) {
  char s[4];
  unfork_symbolic(s, sizeof s, "s");
  const char *p = s;
  while (*p != 'a' && *p != 'b') /* BUG: out-of-bounds */
    p++;
  unfork_check(*p == 'a' || *p == 'b');
  return 0;
}
