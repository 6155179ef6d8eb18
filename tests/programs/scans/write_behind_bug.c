/* The separator that a scan finds becomes an end, as strtok does; it may be found too late.
   expect: unsafe
   native: asan
   input: s="abcd" */
#include "unfork.h"

int main(void) {
  char s[5];
  unfork_symbolic(s, 4, "s");
  s[4] = 0;
  char *p = s;
  while (*p && *p != ' ')
    p++;
  p[0] = 0;
  p[1] = 'x'; /* BUG: out-of-bounds */
  int i = 0;
  while (s[i])
    i++;
  unfork_check(s + i == p);
  return 0;
}
