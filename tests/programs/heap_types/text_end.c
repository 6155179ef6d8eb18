/* Every string of up to two characters, and no byte behind its end. The first NUL is the last byte.
   expect: bounded
   options: --function spaces --max-size 4
   native: none (a function that is run alone) */
#include <string.h>
#include "unfork.h"

int spaces(const char *s) {
  int count = 0;
  if (!s) return 0;
  for (const char *p = s; *p; p++) count += *p == ' ';
  unfork_check((size_t)count <= strlen(s));
  return count;
}
