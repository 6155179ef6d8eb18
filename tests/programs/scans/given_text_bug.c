/* A function that is run alone scans the text that it was given.
   expect: unsafe
   options: --function field --max-size 6
   native: none (a function that is run alone) */
#include "unfork.h"

int field(const char *s) {
  if (!s) return 0;
  const char *p = s;
  while (*p && *p != ':')
    p++;
  int length = p - s;
  unfork_check(length != 3 || *p != ':'); /* BUG: assert */
  return length;
}
