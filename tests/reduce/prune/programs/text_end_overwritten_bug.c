/* Whether a string ended where it may is part of a state, even where the program has overwritten it. n is not.
   expect: unsafe
   options: --function second
   native: none (a function that is run alone) */
#include "unfork.h"

int second(char *s, int n) {
  if (!s) return 0;
  if (*s)
    *s = 'x';
  else
    *s = 'x';
  if (n > 3)
    *s = 'y';
  else
    *s = 'y';
  unfork_subsume(0);
  return s[1]; /* BUG: out-of-bounds */
}
