/* expect: safe
   native: asan */
#include <assert.h>
#include <string.h>
#include "unfork.h"

int main(void) {
  char s[4];
  unfork_symbolic(s, sizeof s, "s");
  s[3] = 0;
  char *colon = strchr(s, ':');
  if (colon) {
    assert(*colon == ':');
    *colon = 0;
    assert(strlen(s) == (unsigned long)(colon - s));
  } else {
    assert(s[0] != ':');
  }
  return 0;
}
