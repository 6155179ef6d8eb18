/* expect: unsafe
   options: --cflags "-O2"
   native: asan
   input: s="a=" */
#include <assert.h>
#include "unfork.h"

static const char *value_of(const char *s) {
  while (*s && *s != '=') s++;
  return *s ? s + 1 : s;
}

int main(void) {
  char s[4];
  unfork_symbolic(s, sizeof s, "s");
  s[3] = 0;
  const char *v = value_of(s);
  assert(v == s || v[-1] != '=' || *v); /* BUG: assert */
  return 0;
}
