/* A scan that begins at a symbolic place, and one that begins where that ends; it ends too late by one.
   expect: unsafe
   native: asan
   input: s=hex:20202020 start=0 */
#include "unfork.h"

int main(void) {
  char s[5];
  unsigned char start;
  unfork_symbolic(s, 4, "s");
  s[4] = 0;
  unfork_symbolic(&start, sizeof start, "start");
  if (start > 3) return 0;
  const char *p = s + start;
  while (*p == ' ')
    p++;
  const char *end = p;
  while (*end >= '0' && *end <= '9')
    end++;
  unfork_check(s <= p && p <= end && end <= s + 4);
  return end[1] == 'x'; /* BUG: out-of-bounds */
}
