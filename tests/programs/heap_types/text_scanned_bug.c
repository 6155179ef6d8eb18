/* A loop over a string says nothing of how long the string is: it may end in any turn.
   expect: unsafe
   options: --function after --max-size 8
   native: none (a function that is run alone) */
#include "unfork.h"

int after(const char *s) {
  int n = 0;
  if (!s) return 0;
  while (n < 3 && s[n]) n++;
  return s[n + 1]; /* BUG: out-of-bounds */
}
