/* expect: safe
   native: asan */
#include <assert.h>
#include <ctype.h>
#include <wctype.h>
#include "unfork.h"

int main(void) {
  unsigned char c;
  unfork_symbolic(&c, 1, "c");
  assert(!isdigit(c) == !(c >= '0' && c <= '9'));
  assert(!isalnum(c) == !(isalpha(c) || isdigit(c)));
  assert(!isspace(c) || c == ' ' || (c >= 9 && c <= 13));
  assert(toupper(tolower(c)) == toupper(c));
  assert(iswalpha(L'x') && !iswdigit(L'x') && towupper(L'a') == L'A');
  return 0;
}
