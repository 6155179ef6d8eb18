/* Every string of three characters: decimal and hexadecimal numbers, exponents, signs, what is no number.
   expect: safe
   native: asan */
#include <assert.h>
#include <stdlib.h>
#include "unfork.h"

int main(void) {
  char s[4] = "2.5", *end;
  unfork_symbolic(s, 3, "s");
  s[3] = 0;
  double d = strtod(s, &end);
  if (s[0] == '2' && s[1] == '.' && s[2] == '5') assert(d == 2.5 && end == s + 3);
  if (d > 99) assert((s[0] | 32) == 'i' || (s[1] | 32) == 'e' || end == s + 3);
  if (d < 0) assert(s[0] == '-' || s[1] == '-');
  assert(!(d > 999) || (s[0] | 32) == 'i' || (s[1] | 32) == 'e');
  return 0;
}
