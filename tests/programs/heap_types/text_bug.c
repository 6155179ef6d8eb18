/* A char pointer is a string: it ends behind its first NUL, and may be empty.
   expect: unsafe
   options: --function last_of --max-size 4
   native: none (a function that is run alone) */
#include <string.h>

int last_of(const char *s) {
  if (!s) return 0;
  return s[strlen(s) - 1]; /* BUG: out-of-bounds */
}
