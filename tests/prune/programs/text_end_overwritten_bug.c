/* What a string held where it may end is part of a state, even where the program has overwritten it.
   expect: unsafe
   options: --function second
   native: none (a function that is run alone) */
#include "unfork.h"

int second(char *s) {
  if (!s) return 0;
  if (*s)
    *s = 'x';
  else
    *s = 'x';
  unfork_subsume(0);
  return s[1]; /* BUG: out-of-bounds */
}
